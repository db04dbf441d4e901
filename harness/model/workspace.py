"""A learner's workspace: a folder of their own with the problems' files.

puzzles.toml          marks the folder
p15/problem.mojo      what `puzzles p15` runs anywhere below it
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

from harness.errors import EnvironmentFault, UsageError
from harness.model.case import Case
from harness.model.sources import MOJO, PYTHON, Sources
from harness.model.whole_file import write_whole

__all__ = ["LESSON", "MARKER", "PROBLEM", "PYTHON_PROBLEM", "here", "kernels", "problems", "start", "workspace"]

MARKER = "puzzles.toml"
PROBLEM = "problem.mojo"
PYTHON_PROBLEM = Path(PROBLEM).with_suffix(PYTHON).name  # of a puzzle that builds a graph
LESSON = "README.md"
# What a learner gets of a puzzle that has a lesson: what explains it and, last, the problem, not the solution.
GIVEN = ("README*.md", "figures/*.svg", PYTHON_PROBLEM, PROBLEM)
_MARK = """# A workspace for GPU puzzles in Mojo: below this folder `puzzles p15` runs p15/problem.mojo.
version = 1
"""


def workspace(folder: Path | None = None) -> Path | None:
    """The workspace in which a folder lies, or None.

    Args:
        folder: The current one unless told.
    """
    here = (folder or Path.cwd()).absolute()
    return next((folder for folder in (here, *here.parents) if (folder / MARKER).is_file()), None)


def kernels(kind: str, cases: Iterable[Case]) -> Sources:
    """The kernels of a kind: the learner's are those of the workspace, where there is one.

    Raises:
        UsageError: The kind is not known, or the workspace has no file for one of the cases.
    """
    if kind != "problems":
        return Sources(kind)
    return problems(dict.fromkeys(case.puzzle for case in cases if case.file is None))


def here(cases: Iterable[Case], kind: str) -> tuple[Case, ...]:
    """Of some cases those that there is a file of: a workspace may have a part of the puzzles."""
    root = workspace() if kind == "problems" else None
    return tuple(case for case in cases if root is None or (root / case.puzzle / PROBLEM).is_file())


def problems(puzzles: Iterable[str]) -> Sources:
    """The learner's kernels: those of the workspace, else those that come with the harness.

    Raises:
        UsageError: The workspace has no file for one of the puzzles.
    """
    root = workspace()
    if root is None:
        return Sources("problems")
    files = {puzzle: root / puzzle / PROBLEM for puzzle in puzzles}
    for puzzle, file in files.items():
        if not file.is_file():
            raise UsageError(f"the workspace {root} has no {puzzle}: `puzzles start {puzzle}` adds it.")
    return Sources("problems", {puzzle: Path(os.path.relpath(file)) for puzzle, file in files.items()})


def start(folder: Path, puzzles: Iterable[str]) -> list[Path]:
    """Makes a workspace, or adds to one.

    Args:
        folder: Where; made if it is not there.
        puzzles: Whose problems it gets.

    Returns:
        The problems' files that it got, and the lessons of those that were there without; a puzzle that it has stays
        as it is, unless its problem or its lesson is gone or empty.

    Raises:
        EnvironmentFault: The folder cannot be written to.
    """
    made = []
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for puzzle in puzzles:
            asked = [name for name in (LESSON, PYTHON_PROBLEM, PROBLEM) if (MOJO / puzzle / name).is_file()]
            lacks = [name for name in asked if not _has_text(folder / puzzle / name)]
            if not lacks:
                continue
            for pattern in GIVEN if LESSON in asked else asked:
                for file in sorted((MOJO / puzzle).glob(pattern)):
                    own = folder / puzzle / file.relative_to(MOJO / puzzle)
                    own.parent.mkdir(parents=True, exist_ok=True)
                    if not _has_text(own):
                        write_whole(own, file.read_bytes())
            made.append(folder / puzzle / (LESSON if lacks == [LESSON] else PROBLEM))
        if not _has_text(folder / MARKER):
            write_whole(folder / MARKER, _MARK.encode())
    except OSError as error:
        raise EnvironmentFault(f"cannot write to {error.filename or folder}: {error.strerror}.") from None
    return made


def _has_text(file: Path) -> bool:
    """Whether there is something in a file: a disk that was full may have left an empty one.

    What is no plain file is somebody's own: to write to a pipe would wait for a reader.
    """
    return file.exists() and (not file.is_file() or file.stat().st_size > 0)
