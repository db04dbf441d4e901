"""Find a learner's workspace, copy puzzles into it, choose which kernels to run, the learner's or the package's.

puzzles.toml          marks the folder
p15/problem.mojo      run by `puzzles p15` anywhere below the folder
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from pathlib import Path

from harness.errors import EnvironmentFault, UsageError
from harness.model.case import Case
from harness.model.sources import MOJO, PYTHON, Sources
from harness.model.whole_file import replace_file

__all__ = [
    "LESSON",
    "MARKER",
    "PROBLEM",
    "PYTHON_PROBLEM",
    "add_puzzles",
    "available_cases",
    "find_workspace",
    "kernel_sources",
    "problem_sources",
]

MARKER = "puzzles.toml"
PROBLEM = "problem.mojo"
PYTHON_PROBLEM = Path(PROBLEM).with_suffix(PYTHON).name  # of a puzzle that builds a graph
LESSON = "README.md"
# What a learner gets of a puzzle that has a lesson: what explains it and, last, the problem, not the solution.
COPIED_FILES = ("README*.md", "figures/*.svg", PYTHON_PROBLEM, PROBLEM)
_COMMENT = re.compile(r"^<!--.*?-->(?:\n|$)", re.DOTALL | re.MULTILINE)
_MARK = """# A workspace for GPU puzzles in Mojo: below this folder `puzzles p15` runs p15/problem.mojo.
version = 1
"""


def find_workspace(folder: Path | None = None) -> Path | None:
    """Return the workspace (a folder with `puzzles.toml`) that a folder is, or lies in; the innermost one, or None.

    Args:
        folder: The folder; the current one if None.
    """
    current = (folder or Path.cwd()).absolute()
    return next((folder for folder in (current, *current.parents) if (folder / MARKER).is_file()), None)


def kernel_sources(kind: str, cases: Iterable[Case]) -> Sources:
    """Return the kernels of a kind: `solutions`, or `problems` for the learner's, from the workspace if there is one.

    Raises:
        UsageError: The kind is unknown, or the workspace has no file for a case that does not name its own.
    """
    if kind != "problems":
        return Sources(kind)
    return problem_sources(dict.fromkeys(case.puzzle for case in cases if case.file is None))


def available_cases(cases: Iterable[Case], kind: str) -> tuple[Case, ...]:
    """Return the cases whose puzzle has a problem's file in the workspace.

    All are returned if `kind` is not `problems`, or outside of a workspace.
    """
    root = find_workspace() if kind == "problems" else None
    return tuple(case for case in cases if root is None or (root / case.puzzle / PROBLEM).is_file())


def problem_sources(puzzles: Iterable[str]) -> Sources:
    """Return the learner's kernels: those of the workspace, else those that come with the harness.

    Raises:
        UsageError: The workspace has no file for one of the puzzles.
    """
    root = find_workspace()
    if root is None:
        return Sources("problems")
    files = {puzzle: root / puzzle / PROBLEM for puzzle in puzzles}
    for puzzle, file in files.items():
        if not file.is_file():
            raise UsageError(f"the workspace {root} has no {puzzle}: `puzzles start {puzzle}` adds it.")
    return Sources("problems", {puzzle: Path(os.path.relpath(file)) for puzzle, file in files.items()})


def add_puzzles(folder: Path, puzzles: Iterable[str]) -> list[Path]:
    """Make a workspace, or add puzzles to one; files that have content are not touched.

    Args:
        folder: The workspace; made if it does not exist.
        puzzles: The puzzles to add; one without files in the catalogue is skipped.

    Returns:
        For each puzzle that got files, its problem's file, or its lesson if only that was missing.

    Raises:
        EnvironmentFault: The folder cannot be written to.
    """
    added = []
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for puzzle in puzzles:
            names = [name for name in (LESSON, PYTHON_PROBLEM, PROBLEM) if (MOJO / puzzle / name).is_file()]
            missing = [name for name in names if not _has_content(folder / puzzle / name)]
            if not missing:
                continue
            for pattern in COPIED_FILES if LESSON in names else names:
                for file in sorted((MOJO / puzzle).glob(pattern)):
                    copy = folder / puzzle / file.relative_to(MOJO / puzzle)
                    copy.parent.mkdir(parents=True, exist_ok=True)
                    if not _has_content(copy):
                        replace_file(copy, _read_for_learner(file))
            added.append(folder / puzzle / (LESSON if missing == [LESSON] else PROBLEM))
        if not _has_content(folder / MARKER):
            replace_file(folder / MARKER, _MARK.encode())
    except OSError as error:
        raise EnvironmentFault(f"cannot write to {error.filename or folder}: {error.strerror}.") from None
    return added


def _read_for_learner(file: Path) -> bytes:
    """Return a file's content; a lesson's (`.md`) without HTML comments, which speak to the tools that generate it."""
    if file.suffix != ".md":
        return file.read_bytes()
    text = _COMMENT.sub("", file.read_text(encoding="utf-8"))
    return (re.sub(r"\n{3,}", "\n\n", text).rstrip() + "\n").encode()


def _has_content(file: Path) -> bool:
    """Return whether a file has content; a disk that was full may have left an empty one.

    True for special files, because writing to a pipe would wait for a reader.
    """
    return file.exists() and (not file.is_file() or file.stat().st_size > 0)
