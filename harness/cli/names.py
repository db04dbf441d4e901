"""Names of puzzles on a command line: one, or `p01-p08` for all from the first to the last."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from harness.catalogue import PUZZLES
from harness.errors import UsageError, unknown

__all__ = ["puzzles", "spread"]

_SEVERAL = re.compile(r"(p\d\w*)(?:-|\.\.\.?)(p\d\w*)")


def puzzles(name: str) -> Iterator[str]:
    """The puzzle of a name, or all from the first to the last of two.

    Raises:
        UsageError: A name is no puzzle, or the first one comes after the last one.
    """
    ends = match.groups() if (match := _SEVERAL.fullmatch(name)) else (name,)
    for end in ends:
        if end not in PUZZLES:
            raise unknown("puzzle", end, PUZZLES)
    first, last = PUZZLES.index(ends[0]), PUZZLES.index(ends[-1])
    if first > last:
        raise UsageError(f"{name} goes backwards: write {ends[-1]}-{ends[0]}.")
    yield from PUZZLES[first : last + 1]


def spread(names: Iterable[str]) -> list[str]:
    """Names of cases with each puzzle of `p01-p08` in the place of that; others are looked up later.

    Raises:
        UsageError: As of `puzzles`.
    """
    return [one for name in names for one in (puzzles(name) if _SEVERAL.fullmatch(name) else (name,))]
