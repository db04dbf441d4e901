"""A backend that calls host functions of cases on this machine's GPU, in a child, between guards; times them too.

In the simulator, `host_calls` does this.
"""

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
from harness.backends.devices import restrict_to_gpu
from harness.backends.guarded import Fill, make_guarded, split
from harness.backends.memory_limit import find_memory_failure
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
class _CallReport:
    """The messages about one call."""

    launches: list[tuple[str, Launch]] = field(default_factory=list)
    unstable: list[int] = field(default_factory=list)
    took: list[float] = field(default_factory=list)
    error: str = ""
    done: bool = False


class NativeCalls:
    """A backend that calls host functions on a GPU of this machine, for cases that consist of such calls.

    Args:
        target: The GPU's target.
        programs: By case id, the library for each step, by the step's number.
        gpu: The number of the GPU.
        device: The GPU's name.
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
        """Return the outcome of a request, from memory or of calls made now; outcomes are kept by case, fill, data set.

        Calls are made for its data set and all later ones of its instance: each outcome before the first failure is
        kept, too. With the fill `zero`, only its own data set is called. Failures, also a lack of memory, are in the
        outcome, and nothing is raised for them.
        """
        if failure := find_memory_failure(request, COPIES):
            return Outcome(failure=failure)
        key = request.case.id, request.fill
        stored = self._known.get((*key, request.dataset.name))
        if stored is None or stored[0] is not request.dataset:
            sets = request.instance.datasets
            place = next((at for at, other in enumerate(sets) if other is request.dataset), None)
            data_sets = (request.dataset,) if place is None or request.fill == "zero" else sets[place:]
            for dataset, outcome in zip(data_sets, self._outcomes(request, data_sets), strict=False):
                self._known[*key, dataset.name] = dataset, outcome
        return self._known[*key, request.dataset.name][1]

    def timed(self, case: Case, batches: int, calls: int) -> list[float]:
        """Return for each batch the microseconds of one call of all steps, as a mean over the batch's calls.

        Each step is timed apart, on fresh buffers: its inputs are those of the first data set, other bytes are zero.
        The steps' times are added up.

        Args:
            case: The case; between calls its buffers stay as the call before leaves them.
            batches: The number of times to return.
            calls: The number of calls in each batch, one after another; the last one is awaited.

        Raises:
            EnvironmentFault: A call did not end; the message says why.
        """
        instance = case.instance(self._target.warp_width)
        sums = np.zeros(batches)
        for number, step in enumerate(case.steps):
            memory = [_make_buffers(instance.tensors, instance.datasets[0], "zero")]
            names, scalars = _names_and_numbers(instance, step, instance.datasets[0])
            reports, exit = self._make_calls(case, number, names, memory, [scalars], [1], (batches, calls))
            if not reports[0].done or len(reports[0].took) != batches:
                raise EnvironmentFault(f"{case.id}: {_explain_failure(step.name, reports[-1], exit).reason}.")
            sums += reports[0].took
        return [float(nanoseconds) / 1000 for nanoseconds in sums]

    def close(self) -> None:
        """Do nothing: it holds nothing open."""

    def _outcomes(self, request: Request, datasets: Sequence[Dataset]) -> list[Outcome]:
        """Make the calls of all steps; return an outcome for each data set before the first that fails in some step.

        If the first one fails, the only outcome is that failure. Only the request's own data set has repetitions.
        """
        case, instance = request.case, request.instance
        memory = [_make_buffers(instance.tensors, dataset, request.fill) for dataset in datasets]
        repeats = [request.repeats if dataset is request.dataset else 1 for dataset in datasets]
        launches_by_step: list[dict[int, list[tuple[str, Launch]]]] = [{} for _ in datasets]
        unstable: list[dict[str, None]] = [{} for _ in datasets]
        seconds = time.perf_counter()
        for number, step in enumerate(case.steps):
            names, _ = _names_and_numbers(instance, step, datasets[0])
            scalars = [_names_and_numbers(instance, step, dataset)[1] for dataset in datasets[: len(memory)]]
            reports, exit = self._make_calls(case, number, names, memory, scalars, repeats)
            for report, launches, changed in zip(reports, launches_by_step, unstable, strict=False):
                launches[number] = report.launches
                changed |= dict.fromkeys(names[place] for place in report.unstable if place < len(names))
            memory = memory[: sum(report.done for report in reports)]
            if not memory:
                return [Outcome(failure=_explain_failure(step.name, reports[-1], exit))]
        seconds = (time.perf_counter() - seconds) / len(memory)
        roles = {tensor.name: tensor for tensor in instance.tensors}
        return [
            Outcome(
                results={
                    name: Observed(*split(guarded, roles[name].shape))
                    for name, guarded in arrays.items()
                    if roles[name].written
                },
                inputs={
                    name: split(guarded, roles[name].shape)[0]
                    for name, guarded in arrays.items()
                    if not roles[name].written
                },
                host_launches=launches_by_step[at],
                run_seconds=seconds,
                unstable=tuple(name for name in unstable[at] if roles[name].written),
            )
            for at, arrays in enumerate(memory)
        ]

    def _make_calls(
        self,
        case: Case,
        step: int,
        names: Sequence[str],
        memory: Sequence[Arrays],
        scalars: Sequence[Sequence[float]],
        repeats: Sequence[int],
        timed: tuple[int, int] = (0, 0),
    ) -> tuple[list[_CallReport], ProcessExit]:
        """Make the calls of a step in a process, one for each data set, and copy what they leave into `memory`.

        Args:
            names: The tensors that the step takes, in order.
            memory: The buffers of each data set, by name; only those of calls that ended change.
            scalars: The step's numbers in each data set.
            repeats: How often each call is made; differing results are reported.
            timed: How many batches of further calls are timed, and how many calls each has; for each data set.

        Returns:
            A report for each call that ended and one more that is not done, and how the process ended. If it wrote
            fewer bytes than these calls leave, it is one report alone, with an error, and `memory` stays as it is.
        """
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
            child.start(command, {**variables, **restrict_to_gpu(self._target.vendor, self._gpu)})
            theirs.close()  # the child's copy alone keeps the pipe open
            reports = _parse_messages([message for message in map(wire.read, lines) if message is not None])
            process_exit = child.wait() or ProcessExit(0)
            completed = sum(report.done for report in reports)
            output = _read_output(folder / "left", sum(sizes) * len(memory))
        if len(output) < completed * sum(sizes):
            return [_CallReport(error="left other bytes than it was given")], process_exit
        for at in range(completed):
            begin = at * sum(sizes)
            for name, size in zip(names, sizes, strict=True):
                memory[at][name].view(np.uint8)[:] = np.frombuffer(output, np.uint8, size, begin)
                begin += size
        return reports, process_exit


def _make_buffers(tensors: Sequence[TensorArgument], dataset: Dataset, fill: Fill) -> Arrays:
    """Return by tensor a fresh flat buffer between guards, with what a data set gives for it, else the fill."""
    return {
        tensor.name: make_guarded(tensor.shape, tensor.dtype, fill, content=dataset.inputs.get(tensor.name))
        for tensor in tensors
    }


def _names_and_numbers(instance: Instance, step: Step, dataset: Dataset) -> tuple[list[str], list[float]]:
    """Return the names of the tensors that a step takes, in order, and its numbers in a data set, as floats."""
    arguments = instance.arguments_of(step)
    scalars = [part for part in arguments if isinstance(part, ScalarArgument)]
    return (
        [part.name for part in arguments if isinstance(part, TensorArgument)],
        [float(dataset.scalars.get(part.name, part.value)) for part in scalars],
    )


def _read_output(path: Path, most: int) -> bytes:
    try:
        return read_plain_file(path, most) or b""
    except OSError:
        return b""


def _parse_messages(messages: Sequence[tuple[str, Any]]) -> list[_CallReport]:
    """Return a report for each call that ended, and one more that is not done.

    That one has the error, if any; a message that no call sends is an error, and ends the reading.
    """
    reports = [_CallReport()]
    for kind, facts in messages:
        report = reports[-1]
        match kind:
            case "launches":
                try:
                    report.launches = [(name, Launch(grid=grid, block=block)) for name, grid, block in facts]
                except ValueError as error:
                    report.error = f"told of what is no launch ({one_line(str(error))})"
                    break
            case "unstable":
                report.unstable += facts
            case "took":
                report.took = facts
            case "failed":
                report.error = f"raised an error: {one_line(facts)}"
            case "done":
                report.done = True
                reports.append(_CallReport())
            case _:
                report.error = "told what is no message of a call"
                break
    return reports


def _explain_failure(name: str, report: _CallReport, exit: ProcessExit) -> Failure:
    """Return the failure of a call that did not end, with one reason.

    The first that holds: a limit on time (`TIMEOUT`); the error that it raised, or else how its process ended
    (`LAUNCH_ERROR`).
    """
    if exit.limit in ("seconds", "cpu_seconds"):
        return Failure(Verdict.TIMEOUT, f"{name} did not return within {getattr(LIMITS, exit.limit):g} s")
    reason = report.error or f"did not return: its process {exit}"
    return Failure(Verdict.LAUNCH_ERROR, f"{name} {reason}")
