"""Every case, in the order in which reports list them.

This is the one list of puzzles: the command line, the tasks, the tests and
the README are generated from it or tested against it.
"""

from __future__ import annotations

from harness.catalogue import p15, p26, p34, scaled
from harness.errors import unknown
from harness.model.case import Case

__all__ = ["CASES", "PUZZLES", "case", "select"]

CASES: tuple[Case, ...] = (*p15.CASES, *p26.CASES, *p34.CASES)
PUZZLES: tuple[str, ...] = tuple(dict.fromkeys(entry.puzzle for entry in CASES))

# The full-size ones are no documented commands: they run when they are asked for by id.
_KNOWN: tuple[Case, ...] = (*CASES, *scaled.SCALED_CASES)
_BY_ID = {entry.id: entry for entry in _KNOWN}
if len(_BY_ID) != len(_KNOWN):
    raise ValueError("two cases of the catalogue share an id")


def case(name: str) -> Case:
    """The case of that id.

    Raises:
        UsageError: There is none; names the nearest.
    """
    if name not in _BY_ID:
        raise unknown("case", name, _BY_ID)
    return _BY_ID[name]


def select(names: list[str] | tuple[str, ...]) -> tuple[Case, ...]:
    """The cases that the names ask for, in the catalogue's order.

    Args:
        names: Ids of cases, or puzzles for all of their cases; empty for all the documented ones.

    Raises:
        UsageError: A name is neither; names the nearest.
    """
    wanted = set()
    for name in names:
        found = [entry.id for entry in _KNOWN if name in (entry.id, entry.puzzle)]
        if not found:
            raise unknown("case", name, [*_BY_ID, *PUZZLES])
        wanted.update(found)
    return tuple(entry for entry in _KNOWN if entry.id in wanted) if names else CASES
