"""Resolve a learner's words to cases: ids, ranges, paths in the workspace, a file anywhere; none is the next case."""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Sequence
from pathlib import Path

from harness.catalogue import PUZZLES, select_cases, select_documented, select_one_case
from harness.cli.names import expand_names
from harness.errors import UsageError
from harness.learning.loop import Desk
from harness.learning.messages import say
from harness.model.case import Case
from harness.model.sources import SUFFIXES
from harness.model.workspace import PROBLEM, PYTHON_PROBLEM, find_workspace
from harness.simt.plain import printable

__all__ = ["desk_and_cases", "find_case", "find_cases", "pictured_case", "puzzle_of_file", "puzzle_of_path"]

_GIVEN = re.compile(rf"{re.escape(PROBLEM)}|{re.escape(PYTHON_PROBLEM)}|README(\.\w+)?\.md")
_NUMBERED = re.compile(r"(?<![a-z0-9])(?:p|puzzle)[ _-]?0*(\d{1,2})(?!\d)")


def desk_and_cases(words: Sequence[str], file: Path | None) -> tuple[Desk, tuple[Case, ...]]:
    """Return the desk on which cases are checked, and the cases.

    Args:
        words: What the command line names; empty for the next case.
        file: A file with kernels, which is checked in place of the workspace's; its name says for which puzzle if no
            word does. It needs no workspace, and no progress is noted of it, unless it is the workspace's own file:
            then the desk is the workspace's.

    Raises:
        UsageError: A word names nothing, or no documented case; there is no workspace; or the file does not exist or
            is of no puzzle or of several.
    """
    if file is None:
        desk = Desk.of_current_folder()
        return desk, find_cases(desk, words)
    if not file.is_file():
        raise UsageError(f"no file at {printable(str(file))}.")
    if not words:
        words = [puzzle_of_file(file)]
    cases = select_documented(expand_names(words))
    if len({case.puzzle for case in cases}) > 1:
        raise UsageError(say("learn.file-of-one", puzzles=list(dict.fromkeys(case.puzzle for case in cases))))
    if find_workspace() and os.path.realpath(file) == os.path.realpath(
        (desk := Desk.of_current_folder()).kernel_file(cases[0])
    ):
        return desk, cases
    return Desk.of_file(file), cases


def find_cases(desk: Desk, words: Sequence[str]) -> tuple[Case, ...]:
    """Return the cases that words name; for no word the next one.

    Raises:
        UsageError: A word names nothing, or a Mojo file that is not a puzzle's own.
    """
    return desk.select_cases(expand_names(_resolve_path(desk, word) for word in words))


def find_case(desk: Desk, word: str | None) -> Case:
    """Return the one case that a word names: of a puzzle with several modes the first that is not solved, and for no
    word the next case.

    Raises:
        UsageError: The word names nothing, or a Mojo file that is not a puzzle's own.
    """
    return desk.select_case(_resolve_path(desk, word) if word else None)


def pictured_case(word: str) -> Case:
    """Return the case of an id, a puzzle, or in a workspace a path; undocumented cases count.

    Of a puzzle with several modes in a workspace it is the first that is not solved, or the first.

    Raises:
        UsageError: The word names nothing, or outside of a workspace several cases.
    """
    if find_workspace() is None:
        return select_one_case(word)
    desk = Desk.of_current_folder()
    cases = select_cases([name := puzzle_of_path(desk.root, word) or word])
    return cases[0] if len(cases) == 1 else desk.select_case(name)


def puzzle_of_path(root: Path, word: str) -> str | None:
    """Return the puzzle whose folder, problem or lesson a path names in a workspace; links are followed.

    None if nothing exists there, or it is another file or outside of the workspace.
    """
    path = Path(os.path.abspath(word))
    if not word or not path.exists():
        return None
    try:
        folder, *inside = Path(os.path.realpath(path)).relative_to(os.path.realpath(root)).parts
    except ValueError:
        return None
    is_given = not inside or (len(inside) == 1 and _GIVEN.fullmatch(inside[0]))
    return folder if folder in PUZZLES and is_given else None


def puzzle_of_file(file: Path) -> str:
    """Return the puzzle in a file's name, `p15.mojo` or `my_p15_v2.mojo`, else that of the nearest folder whose name
    begins with one.

    Raises:
        UsageError: Neither says one.
    """
    if puzzle := _puzzle_in(file.stem):
        return puzzle
    for folder in reversed(file.absolute().parent.parts):
        if (puzzle := _puzzle_in(folder)) and _NUMBERED.match(folder.lower()):
            return puzzle
    raise UsageError(say("learn.which-puzzle", file=shlex.quote(printable(str(file)))))


def _puzzle_in(text: str) -> str | None:
    """Return the puzzle that occurs in a name (`p15`, `Puzzle 15`), the longest if several do; None if none does."""
    text = text.lower()
    matches = [puzzle for puzzle in PUZZLES if re.search(rf"(?<![a-z0-9]){puzzle}(?![0-9])", text)]
    numbered = [f"p{int(match[1]):02}" for match in _NUMBERED.finditer(text)]
    return max([*matches, *(puzzle for puzzle in numbered if puzzle in PUZZLES)], key=len, default=None)


def _resolve_path(desk: Desk, word: str) -> str:
    """Return the puzzle if a word is a path of one in the desk's workspace, else the word, which is not checked.

    Raises:
        UsageError: The word is an existing Mojo file that is not a puzzle's own.
    """
    if puzzle := puzzle_of_path(desk.root, word):
        return puzzle
    path = Path(word)
    if path.suffix in SUFFIXES and path.is_file():
        raise UsageError(say("learn.not-own", file=shlex.quote(printable(word))))
    return word
