"""`start`: a workspace of one's own, so that solving puzzles changes nothing of the harness."""

from __future__ import annotations

import os
import sys
from argparse import Namespace
from pathlib import Path

from harness.catalogue import PUZZLES
from harness.errors import UsageError, unknown
from harness.learning.messages import say
from harness.model import exit_code
from harness.model.lines import folded
from harness.model.workspace import start, workspace
from harness.simt.plain import printable

__all__ = ["begin"]

FOLDER = "puzzles"  # where one is made unless told


def begin(arguments: Namespace) -> int:
    """Copies problems into a workspace; what is there already stays as it is."""
    puzzle, folder = _meant(arguments)
    made = start(folder, [puzzle] if puzzle else PUZZLES)
    if not made:
        has = printable(folder.resolve().name)
        told = say("learn.has-one", folder=has, puzzle=puzzle) if puzzle else say("learn.has-all", folder=has)
        raise UsageError(told)
    for file in made:
        print(printable(os.path.relpath(file)))
    first = made[0].parent.name
    inside = Path.cwd().is_relative_to(folder.absolute())
    go = "" if inside else say("learn.go", folder=printable(os.path.relpath(folder)))
    for line in (say("learn.started", go=go, first=first), say("learn.on-purpose")):
        print(folded(line, sys.stdout))
    return exit_code.OK


def _meant(arguments: Namespace) -> tuple[str | None, Path]:
    """The puzzle, if one is named, and the folder: that named, the workspace here, or a new one."""
    first: str | None = arguments.puzzle
    folder: Path | None = arguments.folder
    if first is None or first in PUZZLES:
        return first, folder or workspace() or Path(FOLDER)
    if folder is not None or (first[:1] == "p" and first[1:].isdigit()):
        raise unknown("puzzle", first, PUZZLES)
    return None, Path(first)
