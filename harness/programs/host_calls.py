"""Compile the host functions of cases, and call each in a child, simulated, on all data sets; journals, findings.

The child gets inputs and reports what it does with its device. It never gets expected values, nor what is made of its
report. On a GPU, `native_calls` does this.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from harness import simt
from harness.backends.base import Failure
from harness.backends.calls import CallInputs, CallReport, HostRun
from harness.build.cache import Cache
from harness.build.clock import reads_clock
from harness.build.hosts import HostProgram, build_host_programs
from harness.build.unit import Build
from harness.errors import CompileError
from harness.model.case import Case
from harness.model.messages import make_finding
from harness.model.sources import GENERATED
from harness.model.target import Target
from harness.model.verdict import Verdict
from harness.process import preloaded
from harness.process.child import Limits, ProcessExit
from harness.programs import wire
from harness.programs.compile import Compiled
from harness.programs.host.options import Options
from harness.programs.lines import Lines
from harness.programs.simulated import CHILD, run
from harness.programs.streams import open_kept_streams
from harness.simt.plain import one_line

__all__ = ["LIMITS", "HostFunctions", "Kernels", "host_functions", "make_compiled", "run_call"]

# Of a call with all data sets; the puzzles take a second of the processor.
LIMITS = Limits(memory_bytes=4 << 30, cpu_seconds=30, file_bytes=64 << 20, seconds=300.0)
_LAUNCH_SECONDS = 10.0  # of the processor's time for each launch there; here each is observed, and has less
_MOST_PRINTED = 1 << 20
_UNOBSERVED = ("launches-unobserved", "launches-unexplained")  # it is here that they are


def host_functions(
    cases: Sequence[Case], build: Build, seconds_by_case: dict[str, float] | None = None
) -> tuple[HostFunctions | None, dict[str, CompileError]]:
    """Compile the host functions that cases call.

    Args:
        cases: The cases; those that the target refuses, or that call no host function, are left out.
        build: The build's options.
        seconds_by_case: Filled, by case id, with the seconds that compiling took; cached programs add nothing.

    Returns:
        The object that makes the calls, or None if none compiled; and the compile errors by case id.

    Raises:
        EnvironmentFault: There is no compiler, or what it makes cannot be stored.
    """
    with_calls = [case for case in cases if case.called]
    if with_calls:
        preloaded.preload(CHILD)  # while they are compiled
    programs = build_host_programs(with_calls, build, seconds_by_case)
    errors = {name: steps for name, steps in programs.items() if isinstance(steps, CompileError)}
    sound = {name: steps for name, steps in programs.items() if not isinstance(steps, CompileError)}
    return (HostFunctions(build.target, sound, build.cache) if sound else None), errors


class HostFunctions:
    """The host functions of some cases, each in a program of its own process.

    Args:
        target: The target of their kernels.
        programs: By case id, the program for each step that is a call, by the step's number.
        cache: Where compiled code is kept.
        limits: Limits for each process; `LIMITS` if None.
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

    def __call__(self, case: Case, step: int, inputs: Sequence[CallInputs]) -> list[HostRun]:
        """Call a step's host function on data sets and return a run for each; the first that fails is the last."""
        program = self._programs[case.id][step]
        reports = run_call(program, case.steps[step].name, inputs, self._target, self._cache, self._limits)
        path = program.kernels.path
        if path not in self._kernels:
            self._kernels[path] = Kernels(program.texts, debug=program.debug)
        return [self._kernels[path].run(report) for report in reports]


def run_call(
    program: HostProgram, name: str, data_sets: Sequence[CallInputs], target: Target, cache: Cache, limits: Limits
) -> list[CallReport]:
    """Run a call's process, and return what it reported for each data set; the first that fails is the last.

    Findings get source locations. The program's output is in the report only if there is one data set.

    Args:
        program: The program that makes the call.
        name: The name of the function, for people.
        data_sets: The data sets.
        target: The target of the kernels.
        cache: Where compiled code is kept.
        limits: Limits for the process.

    Raises:
        EnvironmentFault, RuntimeError: As from `harness.programs.simulated.run`.
    """
    compiled = make_compiled(program, target, cache)
    arguments = [str(program.number), str(len(data_sets))]
    options = Options(
        seconds=limits.seconds or 0.0, launch_seconds=_LAUNCH_SECONDS, observed_launches=0, engine="reference"
    )
    plan = options.plan(target, "simulator")
    with open_kept_streams() as streams:
        ran = run(
            compiled, arguments, plan, options, limits, streams.streams, lambda folder: _write_order(folder, data_sets)
        )
        printed = tuple(streams.output()[:_MOST_PRINTED].decode(errors="replace").splitlines())
    reports = list(_split_by_data_set(ran.messages, len(data_sets)))
    lines = Lines(compiled, next((facts for kind, facts in ran.messages if kind == "loaded"), 0))
    lines.learn([addresses for part in reports for _, calls in part.findings for addresses in calls])
    return [
        CallReport(
            tuple(part.journal),
            None if part.done else _explain_failure(name, part, ran.exit, limits),
            tuple(_add_sites(finding, calls, lines) for finding, calls in part.findings),
            printed if len(data_sets) == 1 else (),
        )
        for part in reports
    ]


def make_compiled(program: HostProgram, target: Target, cache: Cache) -> Compiled:
    """Return the compiled program of a call; it is the same for all calls of the program."""
    return Compiled(GENERATED / "hosts.mojo", target, program.host, program.kernels, cache)


class Kernels(Mapping[str, simt.Module]):
    """Kernels by symbol, decoded when they are first read.

    Args:
        texts: Their LLVM IR, by symbol; kept.
        debug: Whether it names variables.
    """

    def __init__(self, texts: Mapping[str, str], *, debug: bool = False) -> None:
        self.texts, self._debug = texts, debug
        self._decoded: dict[str, simt.Module] = {}
        self._reads_clock: dict[str, bool] = {}

    def __getitem__(self, symbol: str) -> simt.Module:
        if symbol not in self._decoded:
            self._decoded[symbol] = simt.decode(self.texts[symbol], variables=self._debug)
        return self._decoded[symbol]

    def __iter__(self) -> Iterator[str]:
        return iter(self.texts)

    def __len__(self) -> int:
        return len(self.texts)

    def run(self, report: CallReport) -> HostRun:
        """Return a report with these kernels; `report` itself is not changed.

        The one that is returned has a further finding, `run.reads-clock`, if a kernel that was launched reads a clock.
        """
        entries = (entry for entry in report.journal if isinstance(entry, list) and len(entry) > 1)
        launched = {str(entry[1]) for entry in entries if entry[0] == "launch"}
        for symbol in launched - self._reads_clock.keys():
            self._reads_clock[symbol] = reads_clock(self.texts.get(symbol, ""))
        clock = any(self._reads_clock[symbol] for symbol in launched)
        return HostRun(
            replace(report, findings=(*report.findings, make_finding("run.reads-clock"))) if clock else report, self
        )


@dataclass(slots=True)
class _DataSetReport:
    """A process's messages about one data set."""

    journal: list[Any] = field(default_factory=list)
    findings: list[tuple[simt.Finding, Sequence[Sequence[int]]]] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)
    limits: list[str] = field(default_factory=list)
    error: str = ""
    done: bool = False


def _split_by_data_set(messages: Sequence[tuple[str, Any]], sets: int) -> Iterator[_DataSetReport]:
    """Yield the messages of each data set as a report; the first that is not done is the last.

    A message that is not well formed ends its report with an error. What comes after the last data set is dropped.
    """
    report = _DataSetReport()
    for kind, facts in messages:
        try:
            _add_message(report, kind, facts)
        except (TypeError, KeyError, IndexError, ValueError, AttributeError):
            report.error, report.done = f"told what is no message of a device ({kind})", False
            break
        if report.done:
            yield report
            report, sets = _DataSetReport(), sets - 1
        if not sets:
            return  # it ends, and frees what is left
    yield report


def _add_message(report: _DataSetReport, kind: str, facts: Any) -> None:
    match kind:
        case "device":
            report.journal.append([*facts])
        case "finding" if facts.id not in _UNOBSERVED:
            str(facts.finding)  # what cannot be shown is none
            report.findings.append((facts.finding, facts.calls))
        case "unsupported":
            report.missing.append(f"{facts} is not supported by the simulated device")
        case "incomplete":
            report.missing.append(f"kernel {facts.kernel}: {facts.reason}")
        case "limit":
            report.limits.append(facts)
        case "failed":
            report.error = f"raised an error: {one_line(facts)}"
        case "done":
            report.done = True
        case wire.MALFORMED:
            raise ValueError(facts)


def _add_sites(finding: simt.Finding, calls: Sequence[Sequence[int]], lines: Lines) -> simt.Finding:
    places = (lines.place(stack, str(finding.values.get("what", ""))) for stack in calls)
    return replace(finding, sites=tuple(place for place in places if place))


def _explain_failure(name: str, report: _DataSetReport, exit: ProcessExit, limits: Limits) -> Failure:
    """Return the failure of a call that did not end, with one reason.

    The first that holds: something is not supported (`INCOMPLETE`), a limit (`TIMEOUT`), the error that it raised, or
    how its process ended (both `LAUNCH_ERROR`).
    """
    if report.missing:
        return Failure(Verdict.INCOMPLETE, f"{name}: {report.missing[0]}")
    if report.limits:
        return Failure(Verdict.TIMEOUT, f"{name}: {report.limits[0]}")
    if exit.limit in ("seconds", "cpu_seconds"):
        of = " of the processor" if exit.limit == "cpu_seconds" else ""
        return Failure(Verdict.TIMEOUT, f"{name} did not return within {getattr(limits, exit.limit):g} s{of}")
    reason = report.error or f"did not return: it ended its program with status {exit.status}"
    if not report.error and (exit.status < 0 or exit.limit):
        reason = f"did not return: its process {exit}" + (f" ({exit.limit})" if exit.limit else "")
    return Failure(Verdict.LAUNCH_ERROR, f"{name} {reason}")


def _write_order(folder: Path, data_sets: Sequence[CallInputs]) -> dict[str, Any]:
    """Write the data sets to the file `data` in a folder, and return the facts about them for the process.

    The keys are `folder`, `data` (the path), `sizes` (the bytes of each buffer, the same in all data sets) and
    `scalars` (a list of numbers for each data set). For each data set and buffer the file has the bytes, and then a
    byte for each that says whether it is undefined.
    """
    data = folder / "data"
    with data.open("wb") as file:
        for data_set in data_sets:
            for buffer in data_set.buffers:
                octets = buffer.array.reshape(-1).view(np.uint8)
                unwritten = np.zeros(len(octets), bool) if buffer.undefined is None else buffer.undefined
                file.write(octets.tobytes() + unwritten.tobytes())
    return {
        "folder": str(folder),
        "data": str(data),
        "sizes": [buffer.array.nbytes for buffer in data_sets[0].buffers],
        "scalars": [list(data_set.scalars) for data_set in data_sets],
    }
