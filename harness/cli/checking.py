"""`check`: a learner's own kernels, run and judged."""

from __future__ import annotations

import sys
from argparse import Namespace
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from harness.cases import pipeline
from harness.catalogue import CASES
from harness.cli.chosen import desk_and_cases
from harness.cli.explaining import index_lines, tell_indices
from harness.cli.learner import plan_of
from harness.cli.learning import lead, tell
from harness.errors import EnvironmentFault, HarnessError, UsageError
from harness.learning.loop import Desk
from harness.learning.messages import say
from harness.model import exit_code
from harness.model.case import Case
from harness.model.language import chosen, told
from harness.model.launch_plan import LaunchPlan
from harness.model.report import CaseReport, LearnerReport
from harness.model.sources import Sources
from harness.model.verdict import Verdict
from harness.report import console, lines

__all__ = ["check", "checked"]

_PICTURED = (Verdict.MISMATCH, Verdict.FINDING, Verdict.LAUNCH_ERROR)  # something ran, and came to an end


def check(arguments: Namespace) -> int:
    """Checks the learner's own kernels; 0 only if all that were checked are right."""
    if arguments.all and (arguments.cases or arguments.file):
        others = [*arguments.cases, *(["--file"] if arguments.file else [])]
        raise UsageError(f"--all checks every puzzle: leave out {' '.join(others)}, or --all.")
    if arguments.all:
        desk = Desk.here()
        cases = tuple(case for case in CASES if desk.file(case).is_file()) or CASES
    else:
        desk, cases = desk_and_cases(arguments.cases, arguments.file)
    plan = replace(plan_of(arguments), fail_on=arguments.fail_on)
    if arguments.jobs and plan.backend != "simulator":
        raise UsageError("--jobs is for the simulator: a GPU runs one kernel after another.")
    console.print_code_generator(plan.target.vendor, plan.backend)
    if len(cases) == 1:
        return exit_code.of_statuses([checked(desk, cases[0], plan, arguments)])
    solved_before = {case.id for case in cases if desk.state(case) == "solved"}
    verdicts = list(_checked_together(desk, cases, plan, arguments))
    newly = any(desk.state(case) == "solved" for case in cases if case.id not in solved_before)
    if newly and desk.override is None:
        lead(desk)  # once, behind them all
    return exit_code.of_statuses(verdicts)


def checked(
    desk: Desk,
    case: Case,
    plan: LaunchPlan,
    arguments: Namespace,
    on_report: Callable[[CaseReport], None] = lambda _: None,
    on_mismatch: Callable[[Case, LaunchPlan, Sources, str], None] = tell_indices,
    *,
    leads: bool = True,
) -> str:
    """Checks a case, tells its verdict and notes it; returns the verdict.

    Args:
        desk: Of the learner.
        case: Which.
        plan: From `plan_of`.
        arguments: Of the command.
        on_report: Gets the report, unless there is nothing to check.
        on_mismatch: Tells more of a wrong result, behind the verdict; arguments as of `tell_indices`.
        leads: Whether to say what is next once the case is solved.

    Raises:
        EnvironmentFault: The target does not run it, or its file cannot be read.
        UsageError: Its file is not there.
    """
    if refusal := _refusal(case, plan):
        raise EnvironmentFault(refusal)
    sources = desk.sources(case)
    if desk.unfilled(case):  # also of what was solved once: what counts is the file
        return _tell_unfilled(desk, case, arguments)
    with console.show_progress() as notify:
        report = pipeline.learner(case, plan=plan, sources=sources, notify=notify)
    return _tell_checked(desk, case, plan, arguments, report, on_report, on_mismatch, leads=leads)


def _checked_together(desk: Desk, cases: Sequence[Case], plan: LaunchPlan, arguments: Namespace) -> Iterator[str]:
    """Check several cases, in the simulator as many at once as there are jobs; yield each verdict, in their order.

    Raises:
        HarnessError: As `checked` does for the first case that fails; those before it are told.
    """
    ready = _ready(desk, cases, plan) if plan.backend == "simulator" else []
    files = {case.puzzle: file for case in ready for file in desk.sources(case).overrides.values()}
    sources = Sources("problems", files)
    if ready:
        from harness.process.forks import choose_jobs  # late: the check of one case has no need of it

        plan = replace(plan, jobs=choose_jobs(len(ready), arguments.jobs))

    def explain(case: Case, report: CaseReport) -> list[str]:
        wrong = report.verdict == Verdict.MISMATCH
        return index_lines(case, plan, sources, _home(desk, case, arguments)) if wrong else []

    with ExitStack() as stack:
        reports: Iterator[tuple[LearnerReport, list[str] | None]] = iter(())
        if ready:
            with console.show_progress() as notify:
                together = pipeline.learners(ready, plan=plan, sources=sources, notify=notify, explain=explain)
                reports = stack.enter_context(together)
        for case in cases:
            if refusal := _refusal(case, plan):  # which is no reason to stop before the others
                print(told(refusal), flush=True)
                yield Verdict.SKIPPED
            elif case in ready:
                report, explained = next(reports)

                def tell_explained(*_: object, text: Sequence[str] = explained or ()) -> None:
                    for line in text:
                        print(line, flush=True)

                yield _tell_checked(desk, case, plan, arguments, report, on_mismatch=tell_explained, leads=False)
            else:
                yield checked(
                    desk, case, plan, arguments, leads=False
                )  # which says what there is to do, or why it cannot be read


def _ready(desk: Desk, cases: Sequence[Case], plan: LaunchPlan) -> list[Case]:
    """Return those that are run: filled in, for a target that takes them, and before the first that cannot be read."""
    ready = []
    for case in cases:
        if _refusal(case, plan):
            continue
        try:
            desk.sources(case)
            unfilled = desk.unfilled(case)
        except HarnessError:  # it is raised again when it is this case's turn
            break
        if not unfilled:
            ready.append(case)
    return ready


def _home(desk: Desk, case: Case, arguments: Namespace) -> str:
    return desk.place(case) if arguments.format == "lines" else ""


def _tell_unfilled(desk: Desk, case: Case, arguments: Namespace) -> str:
    """Say what nobody has filled in; return what stands for a verdict."""
    unfilled = desk.open_task(case)
    text = chosen().text(unfilled)
    print(lines.format_line(desk.place(case), "error", unfilled.id, text) if arguments.format == "lines" else text)
    return "unfilled"


def _tell_checked(
    desk: Desk,
    case: Case,
    plan: LaunchPlan,
    arguments: Namespace,
    report: LearnerReport,
    on_report: Callable[[CaseReport], None] = lambda _: None,
    on_mismatch: Callable[[Case, LaunchPlan, Sources, str], None] = tell_indices,
    *,
    leads: bool = True,
) -> str:
    """Tell what came of a case, and note it; return its verdict. The arguments are those of `checked`."""
    done, sources = desk.progress.of(case.id), desk.sources(case)
    on_report(report.case)
    console.print_kernel_output(report.printed, sys.stdout)
    home = _home(desk, case, arguments)
    console.print_case(report.case, sources, remarks=True, stream=sys.stdout, home=home)
    if plan.backend == "simulator" and report.case.verdict == Verdict.MISMATCH:
        on_mismatch(case, plan, sources, home)  # behind the verdict, which waits for no second build
    if report.data_seed is not None:
        tell(say("learn.data-seed", seed=report.data_seed))
    changes: dict[str, Any] = {"tries": done.tries + 1}
    if report.case.ok and not done.solved:
        changes["solved"] = datetime.now(UTC).isoformat(timespec="seconds")
    desk.progress.note(case.id, **changes)
    _aftermath(desk, case, report.case, plan, again=bool(done.solved), leads=leads)
    if "debug_assert" in desk.text(case) and not arguments.assertions:
        tell(say("learn.assertions"))
    return report.case.verdict


def _refusal(case: Case, plan: LaunchPlan) -> str:
    """Why a target does not run a case, or nothing."""
    reason = case.refusal(plan.target)
    return f"{case.id} does not run on {plan.target}: {chosen().word('reason', reason)}." if reason else ""


def _aftermath(desk: Desk, case: Case, report: CaseReport, plan: LaunchPlan, *, again: bool, leads: bool) -> None:
    if report.verdict == Verdict.SKIPPED:  # nobody knows whether it is right
        return
    if not report.ok:
        tell(say("learn.stuck", case=case.id))
        if report.verdict in _PICTURED:
            tell(say("learn.picture", case=f"{case.id}{desk.flag}"))
        return
    tell(say("learn.solved-again" if again else "learn.solved", case=case.id))
    if not again:
        if plan.backend == "max":
            tell(say("learn.unseen", case=f"{case.id}{desk.flag}"))
        if leads and desk.override is None:
            lead(desk)
