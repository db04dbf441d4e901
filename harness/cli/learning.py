"""The learner's loop: where one is, `check`, `hint` and `progress`."""

from __future__ import annotations

import sys
from argparse import Namespace
from collections.abc import Callable
from dataclasses import asdict, replace
from datetime import UTC, datetime
from typing import Any

from harness.cases import pipeline
from harness.catalogue import CASES, PARTS, PLACES
from harness.cli.chosen import desk_and_cases, find_case
from harness.cli.explaining import tell_indices
from harness.cli.learner import plan_of
from harness.errors import EnvironmentFault, UsageError
from harness.learning.hints import lesson, step
from harness.learning.loop import Desk
from harness.learning.messages import say
from harness.model import exit_code
from harness.model.case import Case
from harness.model.given import Blank, Complete, Given, Predict, Wrong
from harness.model.language import chosen, language, told
from harness.model.lines import folded
from harness.model.report import CaseReport, Plan
from harness.model.sources import Sources
from harness.model.verdict import Verdict
from harness.model.workspace import workspace
from harness.report import console, json_report, lines

__all__ = [
    "check",
    "checked",
    "help_with",
    "hint",
    "lead",
    "point",
    "progress",
    "tell",
    "warm_up",
    "where",
]

# By what a learner is given: what there is to do at the place that is told, and that nobody has begun.
_TO_DO = {Blank: "learn.place", Wrong: "learn.mend", Complete: "learn.complete", Predict: "learn.predict"}
_PICTURED = (Verdict.MISMATCH, Verdict.FINDING, Verdict.LAUNCH_ERROR)  # something ran, and came to an end
NAMED = 20  # columns of a row of the progress that are the case's
_NOT_BEGUN = {
    Blank: "learn.state-untouched",
    Wrong: "learn.state-unbegun",
    Complete: "learn.state-unbegun",
    Predict: "learn.state-unpredicted",
}


def where(_arguments: Namespace) -> int:
    """Says where one is, and what is next."""
    if workspace() is None:
        tell(say("learn.no-workspace"))
        return exit_code.OK
    desk = Desk.here()
    lead(desk)
    if desk.next():
        tell(say("learn.commands"))
    return exit_code.OK


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
    console.code_generator(plan.target.vendor, plan.backend)
    statuses: list[str] = []
    solved_before = {case.id for case in cases if desk.state(case) == "solved"}
    for case in cases:
        if len(cases) > 1 and (refusal := _refusal(case, plan)):  # which is no reason to stop before the others
            print(told(refusal), flush=True)
            statuses.append(Verdict.SKIPPED)
        else:
            statuses.append(checked(desk, case, plan, arguments, leads=len(cases) == 1))
    is_range = len(cases) > 1 and desk.override is None
    if is_range and any(desk.state(case) == "solved" for case in cases if case.id not in solved_before):
        lead(desk)
    return exit_code.of_statuses(statuses)


def hint(arguments: Namespace) -> int:
    """Shows one hint more each time."""
    desk = Desk.here()
    help_with(desk, find_case(desk, arguments.case))
    return exit_code.OK


def help_with(desk: Desk, case: Case) -> None:
    """Shows the next hint of a case.

    Raises:
        UsageError: It has none.
    """
    number, total, (title, text) = step(case, language(), desk.progress.of(case.id).hints)
    tell(say("learn.hint", case=case.id, number=number, total=total, title=title))
    console.markdown(text)
    tell(say("learn.last-hint" if number == total else "learn.more-hints", case=case.id))
    desk.progress.note(case.id, hints=number)  # last: where it cannot be, the hint is shown


def progress(arguments: Namespace) -> int:
    """Says what was done about each puzzle."""
    desk = Desk.here()
    states = {case.id: desk.state(case) for case in CASES}
    if arguments.json:
        rows = [{"case": name, "state": state, **asdict(desk.progress.of(name))} for name, state in states.items()]
        print(json_report.text({"cases": rows}))
        return exit_code.OK
    for place, (part, its) in enumerate(PARTS.items(), 1):
        solved, total = desk.count(its)
        tell(say("learn.part-solved", number=place, title=part, solved=solved, total=total))
        for case in (case for case in CASES if case.puzzle in its):
            name = case.id
            if len(name) > NAMED:  # its state would leave the terminal
                print(name)
                name = ""
            tell(say("learn.row", case=name, state=_state(desk, case)))
    _count(desk)
    return exit_code.OK


def warm_up(plan: Plan) -> None:
    """Loads what the first check needs, while the learner is still thinking."""
    if plan.backend == "simulator":
        from harness.backends import simulator  # noqa: F401
        from harness.build import device_code  # noqa: F401


def tell(text: str) -> None:
    """Says something, folded to the terminal."""
    print(folded(text, sys.stdout), flush=True)


def _state(desk: Desk, case: Case) -> str:
    done, state = desk.progress.of(case.id), desk.state(case)
    if state == "solved":
        name = "learn.state-shown" if done.solution else "learn.state-solved"
        return say(name, day=done.day, tries=done.tries, hints=done.hints)
    if state == "open":
        return say("learn.state-open" if done.tries else "learn.state-unchecked", tries=done.tries, hints=done.hints)
    return say("learn.state-missing", puzzle=case.puzzle) if state == "missing" else say(_NOT_BEGUN[type(_task(case))])


def _task(case: Case) -> Given:
    """What is to be done: where the kernels are complete, in the Python."""
    return case.graph.given if case.graph and isinstance(case.given, Complete) else case.given


def _count(desk: Desk) -> None:
    solved, total = desk.count()
    modes = sum(desk.state(case) == "solved" for case in CASES)
    tell(say("learn.count", solved=solved, total=total, modes=modes, all_modes=len(CASES)))


def lead(desk: Desk) -> None:
    """Says how far one is, and which case is next, or which part where all that is here is solved."""
    _count(desk)
    if following := desk.next():
        point(desk, following)
    elif not any(desk.state(case) == "solved" for case in CASES):
        tell(say("learn.no-case"))
    elif part := desk.lacks():
        number, title = part
        tell(say("learn.here-solved", number=number, title=title))
    else:
        tell(say("learn.all-solved"))


def point(desk: Desk, case: Case) -> None:
    """Says which case is next, what it builds on, where it is worked on and where it is explained."""
    tell(say("learn.next", case=case.id, title=chosen().word("title", case.title)))
    if before := PLACES[case.puzzle].builds_on:
        left = desk.unsolved(before)
        tell(say("learn.builds-open" if left else "learn.builds", puzzles=before, open=left))
    tell(say(_TO_DO[type(_task(case))], place=desk.place(case)))
    if path := lesson(case.puzzle, language()):
        copied = desk.root / case.puzzle / path.name
        tell(say("learn.lesson", file=desk.shown(copied if copied.is_file() else path)))


def checked(
    desk: Desk,
    case: Case,
    plan: Plan,
    arguments: Namespace,
    on_report: Callable[[CaseReport], None] = lambda _: None,
    on_mismatch: Callable[[Case, Plan, Sources, str], None] = tell_indices,
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
        unfilled = desk.open_task(case)
        text = chosen().text(unfilled)
        print(lines.line(desk.place(case), "error", unfilled.id, text) if arguments.format == "lines" else text)
        return "unfilled"
    done = desk.progress.of(case.id)
    with console.progress() as notify:
        report = pipeline.learner(
            case,
            plan=plan,
            sources=sources,
            notify=notify,
            assertions=arguments.assertions,
            data_seed=arguments.data_seed,
        )
    on_report(report.case)
    console.printed(report.printed, sys.stdout)
    home = desk.place(case) if arguments.format == "lines" else ""
    console.case(report.case, sources, remarks=True, stream=sys.stdout, home=home)
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


def _refusal(case: Case, plan: Plan) -> str:
    """Why a target does not run a case, or nothing."""
    reason = case.refusal(plan.target)
    return f"{case.id} does not run on {plan.target}: {chosen().word('reason', reason)}." if reason else ""


def _aftermath(desk: Desk, case: Case, report: CaseReport, plan: Plan, *, again: bool, leads: bool) -> None:
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
