"""Runs changed files of one mode: kernels by their device code, functions of the host by calls in a process each."""

from __future__ import annotations

import json
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from harness import simt
from harness.backends.calls import CallInputs, HostRun
from harness.backends.simulator import SimulatorBackend
from harness.build import hosts
from harness.build.cache import Cache
from harness.build.device_code import Code
from harness.build.hosts import HostProgram
from harness.build.unit import Build
from harness.model.case import Case
from harness.model.launch_plan import LaunchPlan
from harness.model.steps import HostStep
from harness.model.target import Target
from harness.process.child import Limits
from harness.programs.host_calls import LIMITS, HostFunctions, Kernels
from tests.mutants.automatic import SEED, verdict
from tests.mutants.source_code import (
    Request,
    comparable,
    compile_files,
    compile_together,
    differs_in_array_sizes,
    place_files,
)

__all__ = ["LARGER", "SAME", "Compiled", "Compiler"]

SAME, LARGER = "same code", "larger array"
LEAST_SECONDS, TIMES = 0.5, 20.0  # a mutant's launch may take that long, and that many times as long as the solution's
_CPU_SECONDS = 15  # of a call of a host function with all data sets


@dataclass
class Compiled:
    """A file of a mode, compiled at one size.

    Attributes:
        size: The launch of the mode.
        target: What it is compiled for.
        code: Of each launch of a kernel.
        calls: Makes the calls of host functions.
    """

    size: Case
    target: Target
    code: tuple[Code, ...] = ()
    calls: _RecordedCalls | None = None

    def verdict(self, *, promises: bool = True, seconds: float = 60.0) -> str:
        """Returns the verdict on the first data set on which it is not right; empty if it is right on all."""
        code = {self.size.id: tuple(own["llvm"] for own in self.code)}
        backend = SimulatorBackend(LaunchPlan(self.target, "simulator"), code, calls=self.calls)
        assembly = "\n".join(own["asm"] for own in self.code) if self.code else None
        return verdict(backend, self.size, self.target, assembly, promises=promises, seed=SEED, seconds=seconds)

    def time_limit(self) -> float:
        """Runs the solution, and returns how long a launch of a mutant may take.

        Raises:
            AssertionError: The solution is not right.
        """
        started = time.perf_counter()
        reason = self.verdict()
        assert not reason, f"{self.size.id} is wrong as it is: {reason}"
        return max(LEAST_SECONDS, TIMES * (time.perf_counter() - started))

    def equality(self, other: Compiled) -> str:
        """Returns by which rule the other file does the same as this one on any data; empty if by none.

        Of functions of the host both are to have run: then it is what each did with its device on each data set.
        """
        if self.calls and other.calls:
            return SAME if self.calls.done() == other.calls.done() else ""
        pairs = [
            (comparable(one["llvm"]), comparable(two["llvm"])) for one, two in zip(self.code, other.code, strict=True)
        ]
        if all(one == two for one, two in pairs):
            return SAME
        return LARGER if all(differs_in_array_sizes(*pair) for pair in pairs) else ""


class Compiler:
    """Compiles files of modes for a target; what it makes lives as long as its context."""

    def __init__(self, target: Target) -> None:
        self._target = target
        self._stack = ExitStack()

    def __enter__(self) -> Compiler:
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    def compile(self, requests: Sequence[Request]) -> list[Compiled | None]:
        """Compiles files, those with functions of the host in a second program; None where one does not compile."""
        made: dict[int, Compiled | None] = {}
        for calls, compile_some in ((False, self._compile_kernels), (True, self._compile_hosts)):
            own = [at for at, (_, size) in enumerate(requests) if bool(size.called) == calls]
            if own:
                made |= zip(own, compile_some([requests[at] for at in own]), strict=True)
        return [made[at] for at in range(len(requests))]

    def _compile_kernels(self, requests: Sequence[Request]) -> list[Compiled | None]:
        return [
            None if code is None else Compiled(size, self._target, code)
            for (_, size), code in zip(requests, compile_files(requests, self._target), strict=True)
        ]

    def _compile_hosts(self, requests: Sequence[Request]) -> list[Compiled | None]:
        folder = Path(self._stack.enter_context(tempfile.TemporaryDirectory(prefix="mutants-")))
        build = Build(target=self._target, cache=Cache(folder / "cache"))
        placed = place_files(requests, build, folder, HostStep)

        def compile_some(some: Sequence[tuple[int, Any]]) -> list[HostProgram]:
            data = hosts._compile_program([unit for _, unit in some], build, False)
            key = f"{len(list(folder.iterdir())):064x}"
            blobs = build.cache.put(key, data)
            return [HostProgram(blobs["host"], blobs["kernels"], number) for number in range(len(some))]

        programs = compile_together(placed, compile_some)
        found: list[Compiled | None] = []
        for number, (_, size) in enumerate(requests):
            own = {unit.step: program for (at, unit), program in zip(placed, programs, strict=True) if at == number}
            made = {step: program for step, program in own.items() if program is not None}
            if len(made) < len(own):
                found.append(None)
                continue
            limits: Limits = replace(LIMITS, cpu_seconds=_CPU_SECONDS, seconds=4 * _CPU_SECONDS)
            functions = HostFunctions(self._target, {size.id: made}, build.cache, limits)
            found.append(Compiled(size, self._target, calls=_RecordedCalls(functions)))
        return found


@dataclass
class _RecordedCalls:
    """Calls of host functions, and what they did with their device."""

    functions: HostFunctions
    _runs: list[HostRun] = field(default_factory=list)

    def __call__(self, case: Case, step: int, given: Sequence[CallInputs]) -> list[HostRun]:
        runs = self.functions(case, step, given)
        self._runs += runs
        return runs

    def done(self) -> list[str]:
        """What each call did with its device, in which a kernel goes by its code."""
        texts: dict[str, str] = {}
        return [json.dumps(list(_entries(run, texts))) for run in self._runs]


def _entries(run: HostRun, texts: dict[str, str]) -> Iterator[object]:
    for entry in run.report.journal:
        assert isinstance(entry, list)
        if entry[0] == "launch":
            yield ["launch", _kernel(run.kernels, entry[1], texts), *entry[2:]]
        else:
            yield entry


def _kernel(kernels: Mapping[str, simt.Module], symbol: str, texts: dict[str, str]) -> str:
    assert isinstance(kernels, Kernels)
    if symbol not in texts:
        texts[symbol] = comparable(kernels.texts[symbol])
    return texts[symbol]
