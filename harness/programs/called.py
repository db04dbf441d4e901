"""Calls of host functions, made in a process of their own, once for each data set.

That process gets inputs and says what it does with its device; what is expected of it, and what is made of what it
says, it is never told.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from harness import simt
from harness.backends.base import Failure
from harness.backends.calls import Given, HostRun, Told
from harness.build.cache import Cache
from harness.build.clock import reads_clock
from harness.build.hosts import HostProgram, host_programs
from harness.build.unit import Build
from harness.errors import CompileError
from harness.model.case import Case
from harness.model.messages import finding
from harness.model.sources import GENERATED
from harness.model.target import Target
from harness.model.verdict import Verdict
from harness.process import preloaded
from harness.process.child import Limits, ProcessExit
from harness.programs import wire
from harness.programs.compile import Compiled
from harness.programs.host.options import Options
from harness.programs.lines import Lines
from harness.programs.simulated import CHILD, code_of, run
from harness.programs.streams import kept
from harness.simt.plain import one_line

__all__ = ["LIMITS", "HostFunctions", "Kernels", "called", "compiled_of", "host_functions"]

# Of a call with all data sets; the puzzles take a second of the processor.
LIMITS = Limits(memory_bytes=4 << 30, cpu_seconds=30, file_bytes=64 << 20, seconds=300.0)
_LAUNCH_SECONDS = 10.0  # of the processor's time for each launch there; here each is observed, and has less
_MOST_PRINTED = 1 << 20
_UNOBSERVED = ("launches-unobserved", "launches-unexplained")  # it is here that they are


def host_functions(
    cases: Sequence[Case], build: Build, spent: dict[str, float] | None = None
) -> tuple[HostFunctions | None, dict[str, CompileError]]:
    """Compiles the host functions that cases call.

    Args:
        cases: What the target refuses is left out, and what calls none.
        build: For what.
        spent: As of `harness.build.hosts.host_programs`.

    Returns:
        What makes the calls, or None where there are none; and by case id, why one does not compile.
    """
    wanted = [case for case in cases if case.called]
    if wanted:
        preloaded.preload(CHILD)  # while they are compiled
    programs = host_programs(wanted, build, spent)
    errors = {name: steps for name, steps in programs.items() if isinstance(steps, CompileError)}
    sound = {name: steps for name, steps in programs.items() if not isinstance(steps, CompileError)}
    return (HostFunctions(build.target, sound, build.cache) if sound else None), errors


class HostFunctions:
    """The host functions of some cases, each in a program.

    Args:
        target: What their kernels are for.
        programs: By case id, the program for each step that is a call, by its number.
        cache: For what is made of them.
        limits: Of each process; `LIMITS` unless told.
    """

    def __init__(
        self,
        target: Target,
        programs: Mapping[str, Mapping[int, HostProgram]],
        cache: Cache,
        limits: Limits | None = None,
    ) -> None:
        self._target, self._programs, self._cache, self._limits = target, programs, cache, limits or LIMITS
        self._kernels: dict[Path, Kernels] = {}

    def __call__(self, case: Case, step: int, given: Sequence[Given]) -> list[HostRun]:
        """See `harness.backends.calls.Calls`."""
        program = self._programs[case.id][step]
        told = called(program, case.steps[step].name, given, self._target, self._cache, self._limits)
        kernels = self._kernels.setdefault(program.kernels.path, Kernels(program.texts, debug=program.debug))
        return [kernels.run(one) for one in told]


def called(
    program: HostProgram, name: str, given: Sequence[Given], target: Target, cache: Cache, limits: Limits
) -> list[Told]:
    """What the process of a call tells, for each data set; the first that fails is the last.

    Args:
        program: Makes the call.
        name: Of what is called, for people.
        given: The data sets.
        target: What its kernels are for.
        cache: For what is made of it.
        limits: Of the process.

    Raises:
        EnvironmentFault: It could not be started.
    """
    compiled = compiled_of(program, target, cache)
    arguments = [str(program.number), str(len(given))]
    options = Options(
        seconds=limits.seconds or 0.0, launch_seconds=_LAUNCH_SECONDS, observed_launches=0, engine="reference"
    )
    plan = options.plan(target, "simulator")
    with kept() as streams:
        ran = run(compiled, arguments, plan, options, limits, streams.streams, lambda folder: _order(folder, given))
        printed = tuple(streams.output()[:_MOST_PRINTED].decode(errors="replace").splitlines())
    parts = list(_by_set(ran.messages, len(given)))
    lines = Lines(code_of(compiled), next((facts for kind, facts in ran.messages if kind == "loaded"), 0))
    lines.learn([own for part in parts for _, calls in part.findings for own in calls])
    return [
        Told(
            tuple(part.journal),
            None if part.done else _failure(name, part, ran.ended, limits),
            tuple(_placed(found, calls, lines) for found, calls in part.findings),
            printed if len(given) == 1 else (),
        )
        for part in parts
    ]


def compiled_of(program: HostProgram, target: Target, cache: Cache) -> Compiled:
    """The program, whichever of its calls is meant."""
    return Compiled(GENERATED / "hosts.mojo", target, program.host, program.kernels, cache)


class Kernels(Mapping[str, simt.Module]):
    """Kernels by symbol, decoded when they are first asked for.

    Args:
        texts: Their LLVM IR, by symbol; kept.
        debug: Whether it names variables.
    """

    def __init__(self, texts: Mapping[str, str], *, debug: bool = False) -> None:
        self.texts, self._debug = texts, debug
        self._decoded: dict[str, simt.Module] = {}

    def __getitem__(self, symbol: str) -> simt.Module:
        if symbol not in self._decoded:
            self._decoded[symbol] = simt.decode(self.texts[symbol], variables=self._debug)
        return self._decoded[symbol]

    def __iter__(self) -> Iterator[str]:
        return iter(self.texts)

    def __len__(self) -> int:
        return len(self.texts)

    def run(self, told: Told) -> HostRun:
        """What was told of a call of these kernels; that one of them reads a clock is added."""
        entries = (entry for entry in told.journal if isinstance(entry, list) and len(entry) > 1)
        launched = {str(entry[1]) for entry in entries if entry[0] == "launch"}
        clock = any(reads_clock(self.texts.get(symbol, "")) for symbol in launched)
        return HostRun(replace(told, findings=(*told.findings, finding("run.reads-clock"))) if clock else told, self)


@dataclass(slots=True)
class _Part:
    """What was told while one data set was at work."""

    journal: list[Any] = field(default_factory=list)
    findings: list[tuple[simt.Finding, Sequence[Sequence[int]]]] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)
    limits: list[str] = field(default_factory=list)
    error: str = ""
    done: bool = False


def _by_set(messages: Sequence[tuple[str, Any]], sets: int) -> Iterator[_Part]:
    """What was told, parted by data sets; the first that is not done is the last."""
    told = _Part()
    for kind, facts in messages:
        try:
            _note(told, kind, facts)
        except (TypeError, KeyError, IndexError, ValueError, AttributeError):
            told.error, told.done = f"told what is no message of a device ({kind})", False
            break
        if told.done:
            yield told
            told, sets = _Part(), sets - 1
        if not sets:
            return  # it ends, and frees what is left
    yield told


def _note(told: _Part, kind: str, facts: Any) -> None:
    match kind:
        case "device":
            told.journal.append([*facts])
        case "finding" if facts.id not in _UNOBSERVED:
            str(facts.finding)  # what cannot be shown is none
            told.findings.append((facts.finding, facts.calls))
        case "unsupported":
            told.missing.append(f"{facts} is not supported by the simulated device")
        case "incomplete":
            told.missing.append(f"kernel {facts.kernel}: {facts.reason}")
        case "limit":
            told.limits.append(facts)
        case "failed":
            told.error = f"raised an error: {one_line(facts)}"
        case "done":
            told.done = True
        case wire.MALFORMED:
            raise ValueError(facts)


def _placed(found: simt.Finding, calls: Sequence[Sequence[int]], lines: Lines) -> simt.Finding:
    places = (lines.place(own, str(found.values.get("what", ""))) for own in calls)
    return replace(found, sites=tuple(place for place in places if place))


def _failure(name: str, told: _Part, ended: ProcessExit, limits: Limits) -> Failure:
    """Why a call did not come to its end."""
    if told.missing:
        return Failure(Verdict.INCOMPLETE, f"{name}: {told.missing[0]}")
    if told.limits:
        return Failure(Verdict.TIMEOUT, f"{name}: {told.limits[0]}")
    if ended.limit in ("seconds", "cpu_seconds"):
        of = " of the processor" if ended.limit == "cpu_seconds" else ""
        return Failure(Verdict.TIMEOUT, f"{name} did not return within {getattr(limits, ended.limit):g} s{of}")
    reason = told.error or f"did not return: it ended its program with status {ended.status}"
    if not told.error and (ended.status < 0 or ended.limit):
        reason = f"did not return: its process {ended}" + (f" ({ended.limit})" if ended.limit else "")
    return Failure(Verdict.LAUNCH_ERROR, f"{name} {reason}")


def _order(folder: Path, given: Sequence[Given]) -> dict[str, Any]:
    """What the process is told of its data sets."""
    data = folder / "data"
    with data.open("wb") as file:
        for one in given:
            for buffer in one.buffers:
                octets = buffer.array.reshape(-1).view(np.uint8)
                unwritten = np.zeros(len(octets), bool) if buffer.undefined is None else buffer.undefined
                file.write(octets.tobytes() + unwritten.tobytes())
    return {
        "folder": str(folder),
        "data": str(data),
        "sizes": [buffer.array.nbytes for buffer in given[0].buffers],
        "scalars": [list(one.scalars) for one in given],
    }
