"""The parsers of puzzles (`p15 --MODE`), and of `start`, `watch`, `check`, `hint`, `solution` and the like."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from pathlib import Path

from harness.cli.flags import Arguments, Command, add_shared, parse_path
from harness.cli.late import single_threaded_blas
from harness.model.language import current_words
from harness.model.place import puzzle_number

__all__ = ["LOOP", "puzzle_commands"]


def _add_start(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "names", nargs="*", metavar="PUZZLE", help="choose puzzles: p15, or p01-p08 for several (default: all)"
    )
    # The names take all of them: the last one is the folder if it is no puzzle.
    command.add_argument(
        "folder", nargs="?", metavar="DIR", help="use this folder (default: the workspace here, else puzzles)"
    )
    command.add_argument(
        "--part",
        action="append",
        default=[],
        metavar="N",
        help="add the puzzles of a part, as `puzzles list` numbers them",
    )


def _add_check(command: argparse.ArgumentParser) -> None:
    add_shared(
        command,
        "cases",
        help="choose cases: p26:pair-swap, p26 for all its modes, p01-p08, or a puzzle's file; they are checked in the "
        "order of `puzzles list` (default: the next one)",
    )
    command.add_argument("--all", action="store_true", help="check every puzzle")
    _add_file(command)
    add_shared(command, "--data-seed", "--documented-size", "--assertions", "--format", "--target", "--backend")
    add_shared(command, "--as-is", "--jobs")
    add_shared(command, "--fail-on", default="warning")


def _add_watch(command: argparse.ArgumentParser) -> None:
    _add_case(command)
    _add_file(command)
    command.add_argument(
        "--poll", action="store_true", help="look at the files periodically instead of waiting for events"
    )
    command.add_argument("--page", action="store_true", help="serve a page on this machine that follows the file")
    add_shared(command, "--data-seed", "--format", "--target", "--backend", "--as-is")
    add_shared(command, "--fail-on", default="warning")
    from harness.learning.messages import say  # here alone: other commands say nothing of the loop

    command.epilog = say("learn.keys")
    command.set_defaults(assertions=False, documented_size=False)


def _add_solution(command: argparse.ArgumentParser) -> None:
    _add_case(command)
    command.add_argument("--yes", action="store_true", help="show it without asking")


def _add_reset(command: argparse.ArgumentParser) -> None:
    command.add_argument("puzzle", metavar="PUZZLE", help="choose the puzzle, with all of its modes: p15")


def _add_progress(command: argparse.ArgumentParser) -> None:
    command.add_argument("--json", action="store_true", help="print JSON")


def _add_case(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "case",
        nargs="?",
        metavar="CASE",
        help="choose a case: p15, p26:pair-swap, or a puzzle's file (default: the next one)",
    )


def _add_file(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--file", type=parse_path, metavar="FILE", help="take the kernels of this file (default: the workspace's)"
    )


class _Mode(argparse.Action):
    """A flag that selects a puzzle's mode; two different ones are an error. (argparse's own groups are not wrapped in a
    usage.)
    """

    def __call__(
        self, _parser: argparse.ArgumentParser, namespace: argparse.Namespace, _values: object, _flag: str | None = None
    ) -> None:
        if namespace.mode not in (None, self.const):
            raise argparse.ArgumentError(self, f"not allowed with argument --{namespace.mode}")
        namespace.mode = self.const


def _puzzle_arguments(puzzle: str, modes: Mapping[str, str]) -> Arguments:
    def arguments(command: argparse.ArgumentParser) -> None:
        for mode, title in modes.items():
            command.add_argument(
                f"--{mode}", dest="mode", action=_Mode, nargs=0, const=mode, help=f"run this mode: {title}"
            )
        command.set_defaults(puzzle=puzzle, mode=None)
        command.add_argument("--solution", action="store_true", help="run the solved kernel")
        command.add_argument("--file", type=Path, help="run the kernels of this file")
        add_shared(command, "--data-seed", "--documented-size", "--assertions", "--target", "--backend", "--as-is")

    return arguments


def puzzle_commands() -> dict[str, Command]:
    """Return a `Command` for each puzzle by name: a summary in the current language, `learner.learn`, and what adds its
    arguments.
    """
    # The catalogue takes NumPy along, which is a good part of the start of a command that does not need it yet.
    with single_threaded_blas():
        from harness.catalogue import CASES, PUZZLES

    commands = {}
    for puzzle in PUZZLES:
        cases = [case for case in CASES if case.puzzle == puzzle]
        titles = {case.mode: current_words().word("title", case.title) for case in cases}
        commands[puzzle] = (
            f"Puzzle {puzzle_number(puzzle)}: {', '.join(titles.values())}.",
            "learner.learn",
            _puzzle_arguments(puzzle, {mode: title for mode, title in titles.items() if mode}),
        )
    return commands


LOOP: dict[str, Command] = {
    "start": ("Make a workspace with the problems; nothing is overwritten.", "start.begin", _add_start),
    "next": ("Show where you are and what is next; so does `puzzles` alone.", "learning.where", lambda _: None),
    "watch": ("Check a puzzle each time you save its file.", "watching.watch", _add_watch),
    "check": ("Check your kernels once.", "checking.check", _add_check),
    "hint": ("Show a hint; each call shows one more.", "learning.hint", _add_case),
    "solution": ("Show the solution of a puzzle.", "solution.solution", _add_solution),
    "reset": ("Reset a puzzle to its original file; your version is kept.", "solution.reset", _add_reset),
    "progress": ("Show what you have solved.", "learning.progress", _add_progress),
}
