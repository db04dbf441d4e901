"""Run cases as documented commands do: printed lines, verdicts on all data sets, and the cause if one is wrong."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import replace
from typing import TypeVar

from harness.backends.base import Request, select_executed
from harness.cases.forked import map_cases
from harness.cases.fresh import is_fresh, new_seed
from harness.cases.runner import Runner
from harness.errors import EnvironmentFault
from harness.model.case import Case
from harness.model.launch_plan import LaunchPlan
from harness.model.report import CaseReport, LearnerReport
from harness.model.sources import Sources
from harness.model.verdict import Verdict

__all__ = ["learner", "learners"]

T = TypeVar("T")
Notify = Callable[[str], None]


def learner(
    case: Case,
    *,
    plan: LaunchPlan,
    sources: Sources,
    notify: Notify = lambda _: None,
) -> LearnerReport:
    """Run one documented command and return its report.

    The printed run starts from zeroed outputs, as the documented programs do; every data set is then checked on
    poisoned ones, fresh ones as in `run`. The report has no lines if the case is not executed (it does not compile, for
    instance) or its launch fails.

    Args:
        case: The case to run.
        plan: The plan of its compilation and launches; without a data seed, one is drawn.
        sources: The files with the kernels.
        notify: Gets one line when something slow begins.

    Raises:
        EnvironmentFault: The target cannot run the case.
    """
    with learners([case], plan=plan, sources=sources, notify=notify) as reports:
        return next(reports)[0]


@contextmanager
def learners(
    cases: Sequence[Case],
    *,
    plan: LaunchPlan,
    sources: Sources,
    notify: Notify = lambda _: None,
    explain: Callable[[Case, CaseReport], T | None] = lambda _case, _report: None,
) -> Iterator[Iterator[tuple[LearnerReport, T | None]]]:
    """A context manager: build several documented commands at once, and run them in `plan.jobs` processes.

    Leaving it ends the processes that still run. A case that does not compile raises nothing: its report says so.

    Args:
        cases: The cases, in the order of the reports.
        explain: Gets a case and its report in the process that ran it, also of a right case; what it returns has to be
            picklable.

    The other arguments are those of `learner`.

    Yields:
        One iterator over the reports of all cases, each with what `explain` made of it. All is built by then; each case
        runs as the iterator advances, or ahead of it.

    Raises:
        EnvironmentFault: The target cannot run a case; nothing is built then.
    """
    for case in cases:
        if refusal := case.refusal(plan.target):
            raise EnvironmentFault(f"{case.id} does not run on {plan.target}: {refusal}.")
    if plan.data_seed is None:
        plan = replace(plan, data_seed=new_seed())
    sized = [plan.case_to_run(case) for case in cases]
    with Runner(sized, plan, sources, notify) as runner:

        def report(case: Case) -> tuple[LearnerReport, T | None]:
            result = _run_documented(plan.case_to_run(case), plan, runner, sources)
            return result, explain(case, result.case)

        with closing(map_cases(cases, plan, report)) as reports:  # who has enough leaves no process behind
            yield reports


def _run_documented(case: Case, plan: LaunchPlan, runner: Runner, sources: Sources) -> LearnerReport:
    """Run a case as its documented command does, on zeroed outputs, then on all of its data sets.

    A case that is not executed, or whose launch fails, has no lines and no further data sets. In the simulator the
    cause of a wrong result is added. `data_seed` is set only if fresh data decided.

    Args:
        case: The case at the size at which the plan runs it; the target takes it.
        plan: The plan of its launches.
        runner: The runner that has built its kernels.
        sources: The files with the kernels.
    """
    if runner.refuses(case):
        return LearnerReport((), runner.report(case))
    instance = case.instance(plan.target.warp_width)
    backend, documented = runner.backend_for(case), instance.datasets[0]
    executed = select_executed(case, instance, backend)
    request = Request(case=case, instance=executed, dataset=documented, fill="zero", counted=False)
    outcome = backend.launch(request)
    if outcome.failure is not None:  # the data sets would only repeat it
        from harness.cases.check import judge

        return LearnerReport((), runner.report_decided(case, judge(request, outcome)), outcome.printed)
    report = runner.report(case)
    if report.verdict in (Verdict.MISMATCH, Verdict.FINDING) and plan.backend == "simulator":
        from harness.cases.explained import add_cause

        report = add_cause(report, case, plan, runner.backend, sources)
    expected = case.expected(request.dataset, instance.width)
    actual = {name: result.values for name, result in outcome.results.items()}
    lines = tuple(case.printed(instance.width, case.printed_values(actual), case.printed_values(expected), report.ok))
    was_drawn = report.decisive is not None and is_fresh(report.decisive)
    return LearnerReport(lines, report, outcome.printed, plan.data_seed if was_drawn else None)
