"""`solution` and `reset`: print a solution if the learner confirms; restore a puzzle's files, with backups."""

from __future__ import annotations

import sys
from argparse import Namespace

from harness.cli.chosen import find_case, puzzle_of_path
from harness.cli.learning import print_wrapped
from harness.cli.names import expand_puzzles
from harness.errors import UsageError
from harness.learning.loop import Desk, solution_kernels
from harness.learning.messages import say
from harness.model import exit_code
from harness.model.case import Case
from harness.model.workspace import find_workspace

__all__ = ["confirm_solution", "reset", "solution"]


def solution(arguments: Namespace) -> int:
    """Print a solution if the learner confirms, and record that it was shown; the exit code is 0, also if it is not.

    The solution of a case that is solved is printed without asking or recording.

    Raises:
        UsageError: This is no workspace, the case is unknown, or nobody can be asked.
    """
    desk = Desk.of_current_folder()
    case = find_case(desk, arguments.case)
    if confirm_solution(desk, case, f"solution {case.id}", sure=arguments.yes):
        if arguments.case and case.id not in (arguments.case, case.puzzle):  # of a puzzle with several modes
            print(say("learn.taken", case=case.id), file=sys.stderr)
        print(solution_kernels(case))
    return exit_code.OK


def confirm_solution(desk: Desk, case: Case, command: str, *, sure: bool) -> bool:
    """Return whether the learner wants to see a solution: asks on the terminal unless `sure`, and records a yes.

    If the case is solved, it returns True without asking, and records nothing.

    Args:
        desk: The learner's desk.
        case: The case.
        command: The command to name if nobody can be asked.
        sure: Whether the learner has confirmed already.

    Raises:
        UsageError: The learner has not confirmed, and there is no terminal to ask on.
    """
    if desk.progress.of(case.id).solved:  # then it is to compare with, and spoils nothing
        return True
    if not sure:
        if not sys.stdin.isatty():
            raise UsageError(say("learn.needs-yes", command=command))
        if _ask(say("learn.confirm", case=case.id)).strip().lower()[:1] not in ("y", "네", "예"):
            print_wrapped(say("learn.not-shown", case=case.id))
            return False
    desk.progress.update(case.id, solution=True)
    return True


def _ask(question: str) -> str:
    """Ask a question and return the answer; empty if the terminal was closed."""
    try:
        return input(question)
    except EOFError:
        print()  # what follows gets a line of its own
        return ""


def reset(arguments: Namespace) -> int:
    """Restore a puzzle's changed files, keep them as backups, and print each file's and backup's path; exit code 0.

    A mode, such as `p26:pair-swap`, stands for its puzzle.

    Raises:
        UsageError: The word names several puzzles or none, this is no workspace, a file is missing, or no file differs
            from its original.
    """
    root = find_workspace()
    name = (puzzle_of_path(root, arguments.puzzle) if root else None) or arguments.puzzle
    puzzle, *more = expand_puzzles(name.partition(":")[0])
    if more:
        raise UsageError(f"{arguments.puzzle} is several puzzles: reset one at a time, as in `puzzles reset {puzzle}`.")
    desk = Desk.of_current_folder()
    for file, copy in desk.reset(puzzle):
        print_wrapped(say("learn.reset", file=desk.display_path(file), copy=desk.display_path(copy)))
    return exit_code.OK
