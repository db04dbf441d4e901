"""`start`: a workspace of one's own, so that solving puzzles changes nothing of the harness."""

from __future__ import annotations

import os
import re
import shlex
import sys
from argparse import Namespace
from collections.abc import Sequence
from pathlib import Path

from harness.catalogue import PARTS, PUZZLES
from harness.cli.names import puzzles as puzzles_of
from harness.errors import UsageError
from harness.learning import editor
from harness.learning.messages import say
from harness.model import exit_code
from harness.model.language import language
from harness.model.lines import folded
from harness.model.workspace import LESSON, PROBLEM, start, workspace
from harness.simt.plain import printable

__all__ = ["begin"]

FOLDER = "puzzles"  # where one is made unless told
_LIKE_ONE = re.compile(r"p\d.*")  # a folder that is named so is written ./p15


def begin(arguments: Namespace) -> int:
    """Copies problems into a workspace; what is there already stays as it is."""
    puzzles, folder = _meant(arguments)
    made = start(folder, puzzles or PUZZLES)
    if not made:
        has = printable(folder.resolve().name)
        told = say("learn.has-these", folder=has, puzzles=puzzles) if puzzles else say("learn.has-all", folder=has)
        raise UsageError(told)
    editor.leave(folder)
    puzzle = made[0].parent.name
    inside = Path.cwd().is_relative_to(folder.absolute())
    base = Path.cwd() if inside else folder  # from where the files are named: from there `puzzles watch` is run
    go = "" if inside else say("learn.go", folder=shlex.quote(printable(os.path.relpath(folder))))
    problem, lesson = (printable(os.path.relpath(path, base)) for path in _of_puzzle(folder / puzzle))
    for line in (
        say("learn.started", go=go, file=problem),
        say("learn.started-lesson", file=lesson),
        say("learn.on-purpose"),
        say("learn.added", folder=printable(folder.resolve().name), puzzles=_ranges(made)),
    ):
        print(folded(line, sys.stdout))
    return exit_code.OK


def _of_puzzle(folder: Path) -> tuple[Path, Path]:
    """Return the problem in a puzzle's folder, and its lesson in the language in use if there is one."""
    translated = folder / f"README.{language()}.md"
    return folder / PROBLEM, translated if translated.is_file() else folder / LESSON


def _ranges(files: Sequence[Path]) -> str:
    """Name the puzzles of files, those that follow each other as a range: `p01-p08, p15`."""
    numbers = sorted({PUZZLES.index(file.parent.name) for file in files})
    ranges: list[list[int]] = []
    for number in numbers:
        if ranges and number == ranges[-1][-1] + 1:
            ranges[-1].append(number)
        else:
            ranges.append([number])
    return ", ".join("-".join(dict.fromkeys((PUZZLES[run[0]], PUZZLES[run[-1]]))) for run in ranges)


def _meant(arguments: Namespace) -> tuple[tuple[str, ...], Path]:
    """The puzzles that are named, in order, and the folder: the last name if it is no puzzle, the workspace here, or a
    new one.

    Raises:
        UsageError: A name is no puzzle, a part is none, a first puzzle comes after the last one, or the folder before
            a puzzle.
    """
    names: list[str] = arguments.names
    last = names[-1] if names else ""
    named = last not in PUZZLES and not _LIKE_ONE.fullmatch(last)
    folder = Path(names.pop()) if names and named else workspace() or Path(FOLDER)
    wanted = {puzzle for part in arguments.part for puzzle in _of_part(part)}
    if not named and (early := next((name for name in names if not _LIKE_ONE.fullmatch(name)), None)):
        raise UsageError(f"{early} is no puzzle: the folder comes last.")
    wanted.update(puzzle for name in names for puzzle in puzzles_of(name))
    return tuple(puzzle for puzzle in PUZZLES if puzzle in wanted), folder


def _of_part(number: str) -> tuple[str, ...]:
    """The puzzles of a part by its number, from 1."""
    parts = dict(zip(map(str, range(1, len(PARTS) + 1)), PARTS.values(), strict=True))
    if number not in parts:
        raise UsageError(f"there is no part {number!r}: name one of 1 to {len(parts)}, as `puzzles list` has them.")
    return parts[number]
