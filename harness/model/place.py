"""The record of a puzzle's part of the course and its prerequisite puzzles; parse a puzzle's number."""

from __future__ import annotations

import re
from dataclasses import dataclass

__all__ = ["CoursePlace", "puzzle_number"]

_NUMBER = re.compile(r"p(\d+)")


@dataclass(frozen=True, slots=True)
class CoursePlace:
    """The place of a puzzle among the others.

    Attributes:
        part: The title of the part of the course; parts come in the order of their puzzles.
        builds_on: The names of the puzzles before it whose ideas it uses.
    """

    part: str = "more puzzles"
    builds_on: tuple[str, ...] = ()


def puzzle_number(puzzle: str) -> int:
    """Return a puzzle's number: 4 for `p04` and for `p04_tile_tensor`, which are one puzzle of the documents.

    Raises:
        ValueError: The name has no number.
    """
    match = _NUMBER.match(puzzle)
    if match is None:
        raise ValueError(f"a puzzle is named like p15, but got {puzzle!r}")
    return int(match[1])
