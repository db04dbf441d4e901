"""Where a puzzle stands among the others."""

from __future__ import annotations

import re
from dataclasses import dataclass

__all__ = ["Place", "number"]

_NUMBER = re.compile(r"p(\d+)")


@dataclass(frozen=True, slots=True)
class Place:
    """What a file of the catalogue says of its puzzle's place.

    Attributes:
        part: A few words for what it teaches together with its neighbours; parts come in the order of their puzzles.
        builds_on: The puzzles before it whose ideas it takes further, by name.
    """

    part: str = "more puzzles"
    builds_on: tuple[str, ...] = ()


def number(puzzle: str) -> int:
    """A puzzle's number: 4 of `p04` and of `p04_tile_tensor`, which are one puzzle of the documents.

    Raises:
        ValueError: The name has none.
    """
    match = _NUMBER.match(puzzle)
    if match is None:
        raise ValueError(f"a puzzle is named like p15, but got {puzzle!r}")
    return int(match[1])
