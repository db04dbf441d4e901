"""`check`: run a learner's kernels, one case or several at once; print verdicts and advice, record tries."""

from __future__ import annotations

import sys
from argparse import Namespace
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import replace
from datetime import UTC, datetime

from harness.cases import pipeline
from harness.catalogue import CASES, PUZZLES
from harness.cli.chosen import desk_and_cases
from harness.cli.explaining import format_index_findings, print_index_findings
from harness.cli.learner import make_plan
from harness.cli.learning import print_next, print_wrapped
from harness.errors import EnvironmentFault, HarnessError, UsageError
from harness.learning.loop import Desk
from harness.learning.messages import say
from harness.model import exit_code
from harness.model.case import Case
from harness.model.language import current_words, translate
from harness.model.launch_plan import LaunchPlan
from harness.model.place import puzzle_number
from harness.model.report import CaseReport, LearnerReport
from harness.model.sources import Sources
from harness.model.verdict import Verdict
from harness.report import console, lines

__all__ = ["check", "check_case"]

_PICTURED = (Verdict.MISMATCH, Verdict.FINDING, Verdict.LAUNCH_ERROR)  # something ran, and came to an end


def check(arguments: Namespace) -> int:
    """Check the learner's kernels; exit code 0 if all are right, 1 if one is wrong or not filled in, else 3.

    With `--all`, these are all cases with a file, or all if none has one. Skipped cases do not count. Several cases are
    checked even if some are wrong; then what is next is printed once, if a case of the workspace was newly solved.

    Raises:
        UsageError: `--all` stands beside cases or `--file`, or `--jobs` beside a GPU; or as `desk_and_cases`.
        EnvironmentFault: The target does not run the only case (of several it is skipped), or a file cannot be read.
    """
    if arguments.all and (arguments.cases or arguments.file):
        others = [*arguments.cases, *(["--file"] if arguments.file else [])]
        raise UsageError(f"--all checks every puzzle: leave out {' '.join(others)}, or --all.")
    if arguments.all:
        desk = Desk.of_current_folder()
        cases = tuple(case for case in CASES if desk.kernel_file(case).is_file()) or CASES
    else:
        desk, cases = desk_and_cases(arguments.cases, arguments.file)
    plan = replace(make_plan(arguments), fail_on=arguments.fail_on)
    if arguments.jobs and plan.backend != "simulator":
        raise UsageError("--jobs is for the simulator: a GPU runs one kernel after another.")
    console.print_code_generator(plan.target.vendor, plan.backend)
    if len(cases) == 1:
        return exit_code.combine_statuses([check_case(desk, cases[0], plan, arguments)])
    solved_before = {case.id for case in cases if desk.state(case) == "solved"}
    verdicts = list(_check_several(desk, cases, plan, arguments))
    newly = any(desk.state(case) == "solved" for case in cases if case.id not in solved_before)
    if newly and desk.override is None:
        print_next(desk)  # once, behind them all
    return exit_code.combine_statuses(verdicts)


def check_case(
    desk: Desk,
    case: Case,
    plan: LaunchPlan,
    arguments: Namespace,
    on_report: Callable[[CaseReport], None] = lambda _: None,
    on_mismatch: Callable[[Case, LaunchPlan, Sources, str], None] = print_index_findings,
    *,
    leads: bool = True,
) -> str:
    """Check a case, print and record its verdict, and return the verdict; `unfilled` if there is nothing to check,
    which is printed and not recorded.

    Args:
        desk: The learner's desk.
        case: The case.
        plan: From `make_plan`.
        arguments: The command's arguments.
        on_report: Called with the report, unless there is nothing to check.
        on_mismatch: Called after the verdict of a wrong result in the simulator, with the arguments of
            `print_index_findings`.
        leads: Whether to print what is next if a case of the workspace is solved for the first time.

    Raises:
        EnvironmentFault: The target does not run it, or its file cannot be read.
        UsageError: Its file does not exist.
    """
    if refusal := _explain_refusal(case, plan):
        raise EnvironmentFault(refusal)
    sources = desk.sources(case)
    if desk.first_unfilled(case):  # also of what was solved once: what counts is the file
        return _print_unfilled(desk, case, arguments)
    with console.show_progress() as notify:
        report = pipeline.learner(case, plan=plan, sources=sources, notify=notify)
    return _finish_check(desk, case, plan, arguments, report, on_report, on_mismatch, leads=leads)


def _check_several(desk: Desk, cases: Sequence[Case], plan: LaunchPlan, arguments: Namespace) -> Iterator[str]:
    """Check several cases, in the simulator as many at once as there are jobs; yield each verdict, in their order.

    A case that the target does not run is SKIPPED, with a line that says so; one that is not filled in is `unfilled`.

    Raises:
        HarnessError: As `check_case` does for the first case that fails; the verdicts before it are yielded.
    """
    ready = _select_ready(desk, cases, plan) if plan.backend == "simulator" else []
    files = {case.puzzle: file for case in ready for file in desk.sources(case).overrides.values()}
    sources = Sources("problems", files)
    if ready:
        from harness.process.forks import choose_jobs  # late: the check of one case has no need of it

        plan = replace(plan, jobs=choose_jobs(len(ready), arguments.jobs))

    def explain(case: Case, report: CaseReport) -> list[str]:
        wrong = report.verdict == Verdict.MISMATCH
        return format_index_findings(case, plan, sources, _editor_location(desk, case, arguments)) if wrong else []

    with ExitStack() as stack:
        reports: Iterator[tuple[LearnerReport, list[str] | None]] = iter(())
        if ready:
            with console.show_progress() as notify:
                together = pipeline.learners(ready, plan=plan, sources=sources, notify=notify, explain=explain)
                reports = stack.enter_context(together)
        for case in cases:
            if refusal := _explain_refusal(case, plan):  # which is no reason to stop before the others
                print(translate(refusal), flush=True)
                yield Verdict.SKIPPED
            elif case in ready:
                report, explained = next(reports)

                def tell_explained(*_: object, text: Sequence[str] = explained or ()) -> None:
                    for line in text:
                        print(line, flush=True)

                yield _finish_check(desk, case, plan, arguments, report, on_mismatch=tell_explained, leads=False)
            else:
                # It says what there is to do, or why it cannot be read.
                yield check_case(desk, case, plan, arguments, leads=False)


def _select_ready(desk: Desk, cases: Sequence[Case], plan: LaunchPlan) -> list[Case]:
    """Return the cases that are filled in and that the target runs, up to the first with no readable file."""
    ready = []
    for case in cases:
        if _explain_refusal(case, plan):
            continue
        try:
            desk.sources(case)
            unfilled = desk.first_unfilled(case)
        except HarnessError:  # it is raised again when it is this case's turn
            break
        if not unfilled:
            ready.append(case)
    return ready


def _editor_location(desk: Desk, case: Case, arguments: Namespace) -> str:
    return desk.location(case) if arguments.format == "lines" else ""


def _print_unfilled(desk: Desk, case: Case, arguments: Namespace) -> str:
    """Print the first thing that is not filled in, as text or as a line for editors; return `unfilled`, which stands
    for a verdict.
    """
    unfilled = desk.open_task(case)
    text = current_words().text(unfilled)
    print(lines.format_line(desk.location(case), "error", unfilled.id, text) if arguments.format == "lines" else text)
    return "unfilled"


def _finish_check(
    desk: Desk,
    case: Case,
    plan: LaunchPlan,
    arguments: Namespace,
    report: LearnerReport,
    on_report: Callable[[CaseReport], None] = lambda _: None,
    on_mismatch: Callable[[Case, LaunchPlan, Sources, str], None] = print_index_findings,
    *,
    leads: bool = True,
) -> str:
    """Print and record the result of a check (a try more, and when it was first right), and return its verdict.

    The arguments are those of `check_case`; `on_mismatch` is called only in the simulator.
    """
    record, sources = desk.progress.of(case.id), desk.sources(case)
    on_report(report.case)
    console.print_kernel_output(report.printed, sys.stdout)
    home = _editor_location(desk, case, arguments)
    console.print_case(report.case, sources, remarks=True, stream=sys.stdout, home=home)
    if plan.backend == "simulator" and report.case.verdict == Verdict.MISMATCH:
        on_mismatch(case, plan, sources, home)  # behind the verdict, which waits for no second build
    if report.data_seed is not None:
        print_wrapped(say("learn.data-seed", seed=report.data_seed))
    solved = datetime.now(UTC).isoformat(timespec="seconds") if report.case.ok else ""
    desk.progress.change(
        case.id, lambda before: replace(before, tries=before.tries + 1, solved=before.solved or solved)
    )
    _print_advice(desk, case, report.case, plan, again=bool(record.solved), leads=leads)
    if "debug_assert" in desk.read_text(case) and not arguments.assertions:
        print_wrapped(say("learn.assertions"))
    return report.case.verdict


def _explain_refusal(case: Case, plan: LaunchPlan) -> str:
    """Return the sentence that a target does not run a case; empty if it does."""
    reason = case.refusal(plan.target)
    return f"{case.id} does not run on {plan.target}: {current_words().word('reason', reason)}." if reason else ""


def _print_advice(desk: Desk, case: Case, report: CaseReport, plan: LaunchPlan, *, again: bool, leads: bool) -> None:
    if report.verdict == Verdict.SKIPPED:  # nobody knows whether it is right
        return
    if not report.ok:
        print_wrapped(say("learn.stuck", case=case.id))
        if report.verdict in _PICTURED:
            print_wrapped(say("learn.picture", case=f"{case.id}{desk.flag}"))
        return
    print_wrapped(say("learn.solved-again" if again else "learn.solved", case=case.id))
    same_number = [name for name in PUZZLES if puzzle_number(name) == puzzle_number(case.puzzle)]
    if others := desk.unsolved(name for name in same_number if name != case.puzzle):
        print_wrapped(say("learn.counts-with", case=case.puzzle, others=others))
    if not again:
        if plan.backend == "max":
            print_wrapped(say("learn.unseen", case=f"{case.id}{desk.flag}"))
        if leads and desk.override is None:
            print_next(desk)
