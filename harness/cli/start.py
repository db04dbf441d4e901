"""`start`: copy puzzles by name, range or part, and an editor's tasks, into a workspace; print what to do next."""

from __future__ import annotations

import os
import re
import shlex
import sys
from argparse import Namespace
from collections.abc import Sequence
from pathlib import Path

from harness.catalogue import PARTS, PUZZLES
from harness.cli.names import expand_puzzles as puzzles_of
from harness.errors import UsageError
from harness.learning import editor
from harness.learning.messages import say
from harness.model import exit_code
from harness.model.language import current_language
from harness.model.lines import fold_for_stream
from harness.model.workspace import LESSON, PROBLEM, add_puzzles, find_workspace
from harness.simt.plain import printable

__all__ = ["begin"]

FOLDER = "puzzles"  # where one is made unless told
_LIKE_ONE = re.compile(r"p\d.*")  # a folder that is named so is written ./p15


def begin(arguments: Namespace) -> int:
    """Copy problems (by default all), and tasks for an editor, into a workspace, and print what to do next.

    Existing files stay unchanged; the exit code is 0.

    Raises:
        UsageError: A name is wrong, or the workspace has all of these puzzles already.
    """
    puzzles, folder = _parse_names(arguments)
    added = add_puzzles(folder, puzzles or PUZZLES)
    if not added:
        has = printable(folder.resolve().name)
        message = say("learn.has-these", folder=has, puzzles=puzzles) if puzzles else say("learn.has-all", folder=has)
        raise UsageError(message)
    editor.write_tasks(folder)
    puzzle = added[0].parent.name
    inside = Path.cwd().is_relative_to(folder.absolute())
    base = Path.cwd() if inside else folder  # from where the files are named: from there `puzzles watch` is run
    go = "" if inside else say("learn.go", folder=shlex.quote(printable(os.path.relpath(folder))))
    problem, lesson = (printable(os.path.relpath(path, base)) for path in _files_of_puzzle(folder / puzzle))
    for line in (
        say("learn.started", go=go, file=problem),
        say("learn.started-lesson", file=lesson),
        say("learn.on-purpose"),
        say("learn.added", folder=printable(folder.resolve().name), puzzles=_format_ranges(added)),
    ):
        print(fold_for_stream(line, sys.stdout))
    return exit_code.OK


def _files_of_puzzle(folder: Path) -> tuple[Path, Path]:
    """Return the paths of the problem in a puzzle's folder, and of its lesson: in the language in use if there is one,
    else in English.
    """
    translated = folder / f"README.{current_language()}.md"
    return folder / PROBLEM, translated if translated.is_file() else folder / LESSON


def _format_ranges(files: Sequence[Path]) -> str:
    """Name the puzzles of files, those that follow each other as a range: `p01-p08, p15`."""
    numbers = sorted({PUZZLES.index(file.parent.name) for file in files})
    ranges: list[list[int]] = []
    for number in numbers:
        if ranges and number == ranges[-1][-1] + 1:
            ranges[-1].append(number)
        else:
            ranges.append([number])
    return ", ".join("-".join(dict.fromkeys((PUZZLES[run[0]], PUZZLES[run[-1]]))) for run in ranges)


def _parse_names(arguments: Namespace) -> tuple[tuple[str, ...], Path]:
    """Return the puzzles of `arguments.names` and `arguments.part` in the catalogue's order (empty if there are none),
    and the folder to copy to.

    The folder is the last name if that does not begin as a puzzle's does, `p15...` (it is then removed from
    `arguments.names`), else the workspace around the current folder, else `puzzles`.

    Raises:
        UsageError: A name is no puzzle, there is no such part, a range goes backwards, or the folder is not the last
            name.
    """
    names: list[str] = arguments.names
    last = names[-1] if names else ""
    has_folder = last not in PUZZLES and not _LIKE_ONE.fullmatch(last)
    folder = Path(names.pop()) if names and has_folder else find_workspace() or Path(FOLDER)
    selected = {puzzle for part in arguments.part for puzzle in _puzzles_of_part(part)}
    if not has_folder and (early := next((name for name in names if not _LIKE_ONE.fullmatch(name)), None)):
        raise UsageError(f"{early} is no puzzle: the folder comes last.")
    selected.update(puzzle for name in names for puzzle in puzzles_of(name))
    return tuple(puzzle for puzzle in PUZZLES if puzzle in selected), folder


def _puzzles_of_part(number: str) -> tuple[str, ...]:
    """Return the puzzles of a part by its number, from 1.

    Raises:
        UsageError: There is no such part.
    """
    puzzles_by_number = dict(zip(map(str, range(1, len(PARTS) + 1)), PARTS.values(), strict=True))
    if number not in puzzles_by_number:
        raise UsageError(
            f"there is no part {number!r}: name one of 1 to {len(puzzles_by_number)}, as `puzzles list` has them."
        )
    return puzzles_by_number[number]
