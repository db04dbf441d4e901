"""Host functions on a GPU of this machine, called natively in a process of their own, with guards around buffers."""

from __future__ import annotations

import json
import os
import time
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from harness.backends.base import Failure, Observed, Outcome, Request
from harness.backends.devices import VISIBLE
from harness.backends.guarded import Fill, guarded, split
from harness.backends.memory_limit import too_large
from harness.build.hosts import HostLibrary
from harness.errors import EnvironmentFault
from harness.model.case import Case, Dataset, Instance, Launch, ScalarArgument, Step, TensorArgument
from harness.model.plain_file import read_plain_file
from harness.model.target import Target
from harness.model.verdict import Verdict
from harness.process.child import Child, Limits, ProcessExit
from harness.process.python import module_command
from harness.programs import wire
from harness.simt.plain import one_line

__all__ = ["NativeCalls"]

LIMITS = Limits(cpu_seconds=120, file_bytes=1 << 30, seconds=180.0)
COPIES = 6  # of a launch's buffers, here and there
Arrays = dict[str, np.ndarray]


@dataclass(slots=True)
class _Told:
    """What was told of one call."""

    launches: list[tuple[str, Launch]] = field(default_factory=list)
    unstable: list[int] = field(default_factory=list)
    took: list[float] = field(default_factory=list)
    error: str = ""
    done: bool = False


class NativeCalls:
    """A backend for cases that consist of calls of host functions.

    Args:
        target: That of the GPU.
        programs: By case id, the library for each step, by its number.
        gpu: The number of the GPU.
        device: What it is called.
    """

    name = "max"
    executes_kernel = True

    def __init__(
        self, target: Target, programs: Mapping[str, Mapping[int, HostLibrary]], gpu: int, device: str
    ) -> None:
        self.device = device
        self._target, self._programs, self._gpu = target, programs, gpu
        self._known: dict[tuple[str, str, str], tuple[Dataset, Outcome]] = {}

    def launch(self, request: Request) -> Outcome:
        """Executes one request, and with it those of the data sets behind it; never raises for a fault of theirs."""
        if failure := too_large(request, COPIES):
            return Outcome(failure=failure)
        key = request.case.id, request.fill
        known = self._known.get((*key, request.dataset.name))
        if known is None or known[0] is not request.dataset:
            sets = request.instance.datasets
            place = next((at for at, other in enumerate(sets) if other is request.dataset), None)
            wanted = (request.dataset,) if place is None or request.fill == "zero" else sets[place:]
            for dataset, outcome in zip(wanted, self._outcomes(request, wanted), strict=False):
                self._known[*key, dataset.name] = dataset, outcome
        return self._known[*key, request.dataset.name][1]

    def timed(self, case: Case, batches: int, calls: int) -> list[float]:
        """How long a call of each step takes on the documented data, all steps together, in microseconds.

        Args:
            case: Whose steps; the buffers are those of a data set, and stay as the calls leave them.
            batches: How many times are given back.
            calls: In each, one after another; the last one is awaited.

        Raises:
            EnvironmentFault: A call did not come to its end; the message says why.
        """
        instance = case.instance(self._target.warp_width)
        sums = np.zeros(batches)
        for number, step in enumerate(case.steps):
            memory = [_filled(instance.tensors, instance.datasets[0], "zero")]
            names, scalars = _taken(instance, step, instance.datasets[0])
            told, ended = self._called(case, number, names, memory, [scalars], [1], (batches, calls))
            if not told[0].done or len(told[0].took) != batches:
                raise EnvironmentFault(f"{case.id}: {_failure(step.name, told[-1], ended).reason}.")
            sums += told[0].took
        return [float(one) / 1000 for one in sums]

    def close(self) -> None:
        """Holds nothing."""

    def _outcomes(self, request: Request, datasets: Sequence[Dataset]) -> list[Outcome]:
        """What the steps came to, for as many data sets as came to something."""
        case, instance = request.case, request.instance
        memory = [_filled(instance.tensors, dataset, request.fill) for dataset in datasets]
        repeats = [request.repeats if dataset is request.dataset else 1 for dataset in datasets]
        made: list[dict[int, list[tuple[str, Launch]]]] = [{} for _ in datasets]
        unstable: list[dict[str, None]] = [{} for _ in datasets]
        seconds = time.perf_counter()
        for number, step in enumerate(case.steps):
            names, _ = _taken(instance, step, datasets[0])
            scalars = [_taken(instance, step, dataset)[1] for dataset in datasets[: len(memory)]]
            told, ended = self._called(case, number, names, memory, scalars, repeats)
            for one, launches, changed in zip(told, made, unstable, strict=False):
                launches[number] = one.launches
                changed |= dict.fromkeys(names[place] for place in one.unstable if place < len(names))
            memory = memory[: sum(one.done for one in told)]
            if not memory:
                return [Outcome(failure=_failure(step.name, told[-1], ended))]
        seconds = (time.perf_counter() - seconds) / len(memory)
        roles = {tensor.name: tensor for tensor in instance.tensors}
        return [
            Outcome(
                results={
                    name: Observed(*split(whole, roles[name].shape))
                    for name, whole in arrays.items()
                    if roles[name].written
                },
                inputs={
                    name: split(whole, roles[name].shape)[0]
                    for name, whole in arrays.items()
                    if not roles[name].written
                },
                made=made[at],
                run_seconds=seconds,
                unstable=tuple(name for name in unstable[at] if roles[name].written),
            )
            for at, arrays in enumerate(memory)
        ]

    def _called(
        self,
        case: Case,
        step: int,
        names: Sequence[str],
        memory: Sequence[Arrays],
        scalars: Sequence[Sequence[float]],
        repeats: Sequence[int],
        timed: tuple[int, int] = (0, 0),
    ) -> tuple[list[_Told], ProcessExit]:
        """Makes the calls of a step, and leaves in memory what they left; then batches of calls more."""
        program = self._programs[case.id][step]
        sizes = [memory[0][name].nbytes for name in names]
        reading, writing = os.pipe()
        with open(reading, "rb") as lines, open(writing, "wb") as theirs, Child(LIMITS, (writing,)) as child:
            folder = child.folder
            (folder / "library.so").write_bytes(zlib.decompress(program.file.data))
            (folder / "data").write_bytes(b"".join(arrays[name].tobytes() for arrays in memory for name in names))
            order = {
                "library": str(folder / "library.so"),
                "data": str(folder / "data"),
                "left": str(folder / "left"),
                "number": program.number,
                "sizes": sizes,
                "scalars": scalars,
                "repeats": repeats,
                "timed": timed,
            }
            (folder / "order.json").write_text(json.dumps(order), encoding="utf-8")
            command, variables = module_command(
                "harness.programs.native_calls_child", str(folder / "order.json"), str(writing)
            )
            child.start(command, {**variables, **self._visible()})
            theirs.close()  # the child's copy alone keeps the pipe open
            told = _read([message for message in map(wire.read, lines) if message is not None])
            ended = child.wait() or ProcessExit(0)
            done = sum(one.done for one in told)
            left = _left(folder / "left", sum(sizes) * len(memory))
        if len(left) < done * sum(sizes):
            return [_Told(error="left other bytes than it was given")], ended
        for at in range(done):
            begin = at * sum(sizes)
            for name, size in zip(names, sizes, strict=True):
                memory[at][name].view(np.uint8)[:] = np.frombuffer(left, np.uint8, size, begin)
                begin += size
        return told, ended

    def _visible(self) -> dict[str, str]:
        """What leaves the process this GPU alone."""
        name = VISIBLE[self._target.vendor]
        seen = os.environ.get(name)
        return {name: seen.split(",")[self._gpu] if seen else str(self._gpu)}


def _filled(tensors: Sequence[TensorArgument], dataset: Dataset, fill: Fill) -> Arrays:
    """Fresh buffers between guards, with what a data set gives."""
    return {
        tensor.name: guarded(tensor.shape, tensor.dtype, fill, content=dataset.inputs.get(tensor.name))
        for tensor in tensors
    }


def _taken(instance: Instance, step: Step, dataset: Dataset) -> tuple[list[str], list[float]]:
    """The names of the tensors that a step takes, and its numbers as a data set has them."""
    taken = instance.arguments_of(step)
    own = [part for part in taken if isinstance(part, ScalarArgument)]
    return (
        [part.name for part in taken if isinstance(part, TensorArgument)],
        [float(dataset.scalars.get(part.name, part.value)) for part in own],
    )


def _left(path: Path, most: int) -> bytes:
    try:
        return read_plain_file(path, most) or b""
    except OSError:
        return b""


def _read(messages: Sequence[tuple[str, Any]]) -> list[_Told]:
    """What was told of each call; the first that is not done is the last."""
    told = [_Told()]
    for kind, facts in messages:
        one = told[-1]
        match kind:
            case "launches":
                try:
                    one.launches = [(name, Launch(grid=grid, block=block)) for name, grid, block in facts]
                except ValueError as error:
                    one.error = f"told of what is no launch ({one_line(str(error))})"
                    break
            case "unstable":
                one.unstable += facts
            case "took":
                one.took = facts
            case "failed":
                one.error = f"raised an error: {one_line(facts)}"
            case "done":
                one.done = True
                told.append(_Told())
            case _:
                one.error = "told what is no message of a call"
                break
    return told


def _failure(name: str, told: _Told, ended: ProcessExit) -> Failure:
    """Why a call did not come to its end."""
    if ended.limit in ("seconds", "cpu_seconds"):
        return Failure(Verdict.TIMEOUT, f"{name} did not return within {getattr(LIMITS, ended.limit):g} s")
    reason = told.error or f"did not return: its process {ended}"
    return Failure(Verdict.LAUNCH_ERROR, f"{name} {reason}")
