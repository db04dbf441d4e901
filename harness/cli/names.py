"""Expand ranges of puzzles on a command line: `p01-p08` is all from first to last; other names pass unchecked."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from harness.catalogue import PUZZLES
from harness.errors import UsageError, unknown_name

__all__ = ["expand_names", "expand_puzzles"]

_SEVERAL = re.compile(r"(p\d\w*)(?:-|\.\.\.?)(p\d\w*)")


def expand_puzzles(name: str) -> Iterator[str]:
    """Yield the puzzle with a name, or all puzzles of a range.

    Raises:
        UsageError: A name is no puzzle, or the range goes backwards.
    """
    ends = match.groups() if (match := _SEVERAL.fullmatch(name)) else (name,)
    for end in ends:
        if end not in PUZZLES:
            raise unknown_name("puzzle", end, PUZZLES)
    first, last = PUZZLES.index(ends[0]), PUZZLES.index(ends[-1])
    if first > last:
        raise UsageError(f"{name} goes backwards: write {ends[-1]}-{ends[0]}.")
    yield from PUZZLES[first : last + 1]


def expand_names(names: Iterable[str]) -> list[str]:
    """Return names of cases with ranges such as `p01-p08` expanded; other names are not checked.

    Raises:
        UsageError: As `expand_puzzles`.
    """
    return [expanded for name in names for expanded in (expand_puzzles(name) if _SEVERAL.fullmatch(name) else (name,))]
