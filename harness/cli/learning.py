"""`next`, `hint` and `progress`: print the next case, a hint, all states; the first two for `check`, `watch` too."""

from __future__ import annotations

import sys
from argparse import Namespace
from dataclasses import asdict, replace

from harness.catalogue import CASES, PARTS, PLACES
from harness.cli.chosen import find_case
from harness.learning.hints import lesson_path, next_hint
from harness.learning.loop import Desk
from harness.learning.messages import say
from harness.model import exit_code
from harness.model.case import Case
from harness.model.handout import Blank, Complete, Handout, Predict, Wrong
from harness.model.language import current_language, current_words
from harness.model.launch_plan import LaunchPlan
from harness.model.lines import fold_for_stream
from harness.model.workspace import find_workspace
from harness.report import console, json_report

__all__ = [
    "hint",
    "print_case_pointer",
    "print_next",
    "print_next_hint",
    "print_wrapped",
    "progress",
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
    """Print the learner's state and what is next, or how to begin if this is no workspace; the exit code is 0."""
    if find_workspace() is None:
        print_wrapped(say("learn.no-workspace"))
        return exit_code.OK
    desk = Desk.of_current_folder()
    print_next(desk)
    if desk.next_case():
        print_wrapped(say("learn.commands"))
    return exit_code.OK


def hint(arguments: Namespace) -> int:
    """Print the next hint of a case, of the next one if none is named, and record that it was seen; the exit code is 0.

    Raises:
        UsageError: This is no workspace, the case is unknown, or it has no hints.
    """
    desk = Desk.of_current_folder()
    print_next_hint(desk, find_case(desk, arguments.case))
    return exit_code.OK


def print_next_hint(desk: Desk, case: Case) -> None:
    """Print the next hint of a case, or its last one again, and record how many were seen.

    Raises:
        UsageError: The case has no hints.
    """
    number, total, (title, text) = next_hint(case, current_language(), desk.progress.of(case.id).hints)
    print_wrapped(say("learn.hint", case=case.id, number=number, total=total, title=title))
    console.print_markdown(text)
    print_wrapped(say("learn.last-hint" if number == total else "learn.more-hints", case=case.id))
    # Last: where it cannot be, the hint is shown. Another process may have shown more.
    desk.progress.change(case.id, lambda before: replace(before, hints=max(before.hints, number)))


def progress(arguments: Namespace) -> int:
    """Print the state of each case, by parts and with counts, or as JSON; the exit code is 0.

    Raises:
        UsageError: This is no workspace.
    """
    desk = Desk.of_current_folder()
    states = {case.id: desk.state(case) for case in CASES}
    if arguments.json:
        rows = [{"case": name, "state": state, **asdict(desk.progress.of(name))} for name, state in states.items()]
        print(json_report.text({"cases": rows}))
        return exit_code.OK
    for place, (part, its) in enumerate(PARTS.items(), 1):
        solved, total = desk.count_solved(its)
        print_wrapped(say("learn.part-solved", number=place, title=part, solved=solved, total=total))
        for case in (case for case in CASES if case.puzzle in its):
            name = case.id
            if len(name) > NAMED:  # its state would leave the terminal
                print(name)
                name = ""
            print_wrapped(say("learn.row", case=name, state=_format_state(desk, case)))
    _print_count(desk)
    return exit_code.OK


def warm_up(plan: LaunchPlan) -> None:
    """Import what the first check needs, while the learner is still thinking; nothing unless the backend is the
    simulator.
    """
    if plan.backend == "simulator":
        from harness.backends import simulator  # noqa: F401
        from harness.build import device_code  # noqa: F401


def print_wrapped(text: str) -> None:
    """Print a text, wrapped to the terminal."""
    print(fold_for_stream(text, sys.stdout), flush=True)


def _format_state(desk: Desk, case: Case) -> str:
    record, state = desk.progress.of(case.id), desk.state(case)
    if state == "solved":
        name = "learn.state-shown" if record.solution else "learn.state-solved"
        return say(name, day=record.day, tries=record.tries, hints=record.hints)
    if state == "open":
        return say(
            "learn.state-open" if record.tries else "learn.state-unchecked", tries=record.tries, hints=record.hints
        )
    return (
        say("learn.state-missing", puzzle=case.puzzle)
        if state == "missing"
        else say(_NOT_BEGUN[type(_handout_of(case))])
    )


def _handout_of(case: Case) -> Handout:
    """Return the handout of a case: that of its Python file if its kernels are complete."""
    return case.graph.handout if case.graph and isinstance(case.handout, Complete) else case.handout


def _print_count(desk: Desk) -> None:
    solved, total = desk.count_solved()
    modes = sum(desk.state(case) == "solved" for case in CASES)
    print_wrapped(say("learn.count", solved=solved, total=total, modes=modes, all_modes=len(CASES)))
    if not modes:  # the first time that a learner reads the word
        print_wrapped(say("learn.mode"))


def print_next(desk: Desk) -> None:
    """Print how much is solved, and which case is next; or else which part to add, that all is solved, or that there is
    no case.
    """
    _print_count(desk)
    if following := desk.next_case():
        print_case_pointer(desk, following)
    elif not any(desk.state(case) == "solved" for case in CASES):
        print_wrapped(say("learn.no-case"))
    elif part := desk.first_incomplete_part():
        number, title = part
        print_wrapped(say("learn.here-solved", number=number, title=title))
    else:
        print_wrapped(say("learn.all-solved"))


def print_case_pointer(desk: Desk, case: Case) -> None:
    """Print that a case is next, what it builds on, and where its file and its lesson are."""
    print_wrapped(say("learn.next", case=case.id, title=current_words().word("title", case.title)))
    if before := PLACES[case.puzzle].builds_on:
        unsolved = desk.unsolved(before)
        print_wrapped(say("learn.builds-open" if unsolved else "learn.builds", puzzles=before, open=unsolved))
    print_wrapped(say(_TO_DO[type(_handout_of(case))], place=desk.location(case)))
    if path := lesson_path(case.puzzle, current_language()):
        copied = desk.root / case.puzzle / path.name
        print_wrapped(say("learn.lesson", file=desk.display_path(copied if copied.is_file() else path)))
