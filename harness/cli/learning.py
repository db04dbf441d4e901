"""The learner's loop: where one is, `check`, `hint` and `progress`."""

from __future__ import annotations

import sys
from argparse import Namespace
from dataclasses import asdict

from harness.catalogue import CASES, PARTS, PLACES
from harness.cli.chosen import find_case
from harness.learning.hints import lesson, step
from harness.learning.loop import Desk
from harness.learning.messages import say
from harness.model import exit_code
from harness.model.case import Case
from harness.model.given import Blank, Complete, Given, Predict, Wrong
from harness.model.language import chosen, language
from harness.model.launch_plan import LaunchPlan
from harness.model.lines import folded
from harness.model.workspace import workspace
from harness.report import console, json_report

__all__ = [
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
    console.print_markdown(text)
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


def warm_up(plan: LaunchPlan) -> None:
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
