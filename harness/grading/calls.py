"""Run a puzzle's host functions (`call_stage`) and its Python's graphs in single-use sandboxes; check the reports.

A sandbox gets inputs, drawn here, and is used only once, since a program that ran in it could have left something. The
reports may be false. The judge repeats them on a device of its own (`harness.backends.replay`), so a false report
harms only the submission itself.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from harness.backends.base import Request
from harness.backends.calls import CallInputs, CallReport, is_independent_call
from harness.backends.simulator import make_call_inputs
from harness.build.cache import Cache
from harness.cases.fresh import add_fresh_data
from harness.cases.python_graph import GraphVerdict, check_case_graph
from harness.catalogue import select_cases
from harness.grading.call_stage import LIMITS, STAGE, Call, Called, CallOrder, DataSet
from harness.grading.work import MOST_CODE, WIDEST, HostCall, HostPrograms, Job, Settings
from harness.model.case import Case
from harness.model.sources import PYTHON
from harness.model.target import Target
from harness.process.box import AnySandbox, Sandbox, SandboxPool, Stop
from harness.process.stage import Blame, StageResult
from harness.simt.plain import one_line

__all__ = ["HostReports", "ReportsByStep", "check_graphs", "refusal", "run_host_calls"]

# By case, and by the number of the step for each data set.
ReportsByStep = Mapping[str, Mapping[int, tuple[CallReport, ...]]]


@dataclass(frozen=True, slots=True)
class HostReports:
    """The reports of all calls of a file.

    Attributes:
        reports: The reports, by case and step.
        failed: The end of the first sandbox that gave no result, or None.
        seconds: CPU time of all sandboxes.
        peak_bytes: The highest memory use of a process.
    """

    reports: ReportsByStep = field(default_factory=dict)
    failed: StageResult[Any] | None = None
    seconds: float = 0.0
    peak_bytes: int = 0


def run_host_calls(
    hosts: HostPrograms, puzzle: str, settings: Settings, box: AnySandbox, stop: Stop | None = None
) -> HostReports:
    """Run the host functions of a puzzle's cases, each program in a sandbox of its own, and return their checked
    reports.

    The first sandbox without a valid answer ends it: then no reports are returned, and `failed` says why. The machine
    is never blamed there, since the program may have ended its sandbox itself. Programs
    without calls of the puzzle, and those with more than `MOST_CODE` characters of kernels, are left out.

    Args:
        hosts: The programs and calls, from the compile stage.
        puzzle: The puzzle.
        settings: The settings: target and data seed.
        box: The kind of box that each program is run in.
        stop: Asked now and then whether the result is not wanted any more.

    Raises:
        EnvironmentFault: No box could be started.
        StoppedError: The answer is not wanted any more.
    """
    reports: dict[str, dict[int, tuple[CallReport, ...]]] = {}
    seconds, peak = 0.0, 0
    cases = {size.id: size for case in select_cases([puzzle]) for size in case.simulated.sizes}
    for number, program in enumerate(hosts.programs):
        own_calls = [
            (cases[name], call) for name, calls in hosts.calls.items() for call in calls if call.program == number
        ]
        if not own_calls or sum(map(len, program.kernels.values())) > MOST_CODE:
            continue  # the judge says so
        calls = tuple(_call(case, call, settings) for case, call in own_calls)
        order = CallOrder(program=program, target=settings.target, calls=calls, limits=LIMITS)
        answer = STAGE.ask(order, _alone(box), stop=stop)
        seconds, peak = seconds + answer.cpu_seconds, max(peak, answer.peak_bytes)
        if answer.result is None or not _is_valid_answer(answer.result, calls):
            # It may have ended its box itself, and said that the machine did: our own solution tells.
            blame: Blame = "order" if answer.blame == "order" else "stage"
            reason = "its box told what no calls do"
            return HostReports(
                {}, replace(answer, result=None, blame=blame, reason=answer.reason or reason), seconds, peak
            )
        for (case, call), by_data_set in zip(own_calls, answer.result.reports, strict=True):
            reports.setdefault(case.id, {})[call.step] = tuple(map(_sanitize, by_data_set))
    return HostReports(reports, None, seconds, peak)


def _call(case: Case, call: HostCall, settings: Settings) -> Call:
    instance = add_fresh_data(case, case.instance(Target.parse(settings.target).warp_width), settings.data_seed)
    assert is_independent_call(case, instance, call.step)
    sets = (
        _data_set(make_call_inputs(Request(case=case, instance=instance, dataset=dataset), call.step))
        for dataset in instance.datasets
    )
    return Call(case.steps[call.step].name, call.number, tuple(sets))


def _data_set(inputs: CallInputs) -> DataSet:
    buffers = []
    for buffer in inputs.buffers:
        octets = buffer.array.reshape(-1).view(np.uint8)
        undefined = np.zeros(len(octets), bool) if buffer.undefined is None else buffer.undefined
        buffers.append((octets.tobytes(), undefined.tobytes()))
    return DataSet(tuple(buffers), tuple(inputs.scalars))


def _is_valid_answer(result: Called, calls: Sequence[Call]) -> bool:
    """Return whether an answer has reports for exactly these calls, all of whose findings `str` converts.

    Each call needs one for each data set, or fewer if the last one failed, but at least one.
    """
    if len(result.reports) != len(calls):
        return False
    try:
        _ = [str(finding) for reports in result.reports for report in reports for finding in report.findings]
    except Exception:  # a stranger's values, in words of ours: whatever there is to go wrong
        return False
    # The last of a call failed, or it is that of the last data set.
    return all(
        reports
        and len(reports) <= len(call.sets)
        and (reports[-1].failure is not None or len(reports) == len(call.sets))
        for reports, call in zip(result.reports, calls, strict=True)
    )


def _sanitize(report: CallReport) -> CallReport:
    """Return a report whose failure's reason is one safe line of at most `WIDEST` characters; what was printed is
    dropped.
    """
    failure = report.failure and replace(report.failure, reason=one_line(report.failure.reason)[:WIDEST])
    return replace(report, failure=failure, printed=())


def check_graphs(job: Job, settings: Settings, box: AnySandbox, cache: Cache) -> dict[str, GraphVerdict]:
    """Check the graphs that a puzzle's Python builds, by case, in sandboxes that are used once; empty if it builds
    none.

    Args:
        job: The job, with the Python if the puzzle has some.
        settings: The settings: the target.
        box: The kind of box that it is run in.
        cache: The cache of what the Python did.

    Raises:
        EnvironmentFault: This machine is to blame, or seems to be.
    """
    file, width = Path(f"{job.puzzle}{PYTHON}"), Target.parse(settings.target).warp_width
    cases = [case for case in select_cases([job.puzzle]) if case.graph]
    return {case.id: check_case_graph(case, file, job.python, width, cache, _alone(box)) for case in cases}


def refusal(box: AnySandbox) -> str:
    """Return why strangers' programs do not run natively in this kind of sandbox, or an empty string if they do.

    They do in bubblewrap, and in any other kind that the user asked for by name.
    """
    if _alone(box).is_chosen:
        return ""
    return "it runs natively, which without bwrap may read and change results: `--sandbox limits` says that you mean it"


def _alone(box: AnySandbox) -> Sandbox:
    return box.box if isinstance(box, SandboxPool) else box
