"""`solution` and `reset`: a solved kernel to look at, and a puzzle's file as it was at first."""

from __future__ import annotations

import sys
from argparse import Namespace

from harness.cli.chosen import find_case, puzzle_of_path
from harness.cli.learning import tell
from harness.cli.names import puzzles
from harness.errors import UsageError
from harness.learning.loop import Desk, solved_text
from harness.learning.messages import say
from harness.model import exit_code
from harness.model.case import Case
from harness.model.workspace import workspace

__all__ = ["may_see", "reset", "solution"]


def solution(arguments: Namespace) -> int:
    """Shows a solved kernel, to those who are sure."""
    desk = Desk.here()
    case = find_case(desk, arguments.case)
    if may_see(desk, case, f"solution {case.id}", sure=arguments.yes):
        if arguments.case and case.id not in (arguments.case, case.puzzle):  # of a puzzle with several modes
            print(say("learn.taken", case=case.id), file=sys.stderr)
        print(solved_text(case))
    return exit_code.OK


def may_see(desk: Desk, case: Case, command: str, *, sure: bool) -> bool:
    """Return whether a learner means to see the solution of a case, and note that they saw it.

    Args:
        desk: Of the learner.
        case: Which.
        command: What was called, for whom nobody can ask.
        sure: Whether they said so already.

    Raises:
        UsageError: They did not, and there is no terminal to ask on.
    """
    if desk.progress.of(case.id).solved:  # then it is to compare with, and spoils nothing
        return True
    if not sure:
        if not sys.stdin.isatty():
            raise UsageError(say("learn.needs-yes", command=command))
        if _answer(say("learn.confirm", case=case.id)).strip().lower()[:1] not in ("y", "네", "예"):
            tell(say("learn.not-shown", case=case.id))
            return False
    desk.progress.note(case.id, solution=True)
    return True


def _answer(question: str) -> str:
    """Return the answer to a question; empty if the terminal was closed instead."""
    try:
        return input(question)
    except EOFError:
        print()  # what follows gets a line of its own
        return ""


def reset(arguments: Namespace) -> int:
    """Resets a puzzle to its original file, and keeps what was there."""
    root = workspace()
    name = (puzzle_of_path(root, arguments.puzzle) if root else None) or arguments.puzzle
    puzzle, *more = puzzles(name.partition(":")[0])
    if more:
        raise UsageError(f"{arguments.puzzle} is several puzzles: reset one at a time, as in `puzzles reset {puzzle}`.")
    desk = Desk.here()
    for file, copy in desk.reset(puzzle):
        tell(say("learn.reset", file=desk.shown(file), copy=desk.shown(copy)))
    return exit_code.OK
