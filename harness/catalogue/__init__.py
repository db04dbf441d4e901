"""Collect all cases, puzzles and parts of the course from this package's modules; find and select cases by name.

A module of this package that defines `CASES` is found automatically. This is the one list of puzzles: the command line,
the tasks, the tests and the documents are generated from it or tested against it.
"""

from __future__ import annotations

import pkgutil
from collections.abc import Iterator
from functools import partial
from importlib import import_module

from harness.catalogue.translations import load_terms
from harness.errors import UsageError, unknown_name
from harness.model.case import Case
from harness.model.place import CoursePlace
from harness.simt.messages import LANGUAGES, add_lazily

__all__ = [
    "CASES",
    "KNOWN",
    "PARTS",
    "PLACES",
    "PUZZLES",
    "find_case",
    "is_name",
    "select_cases",
    "select_documented",
    "select_one_case",
]


def _find_cases() -> Iterator[Case]:
    for info in sorted(pkgutil.iter_modules(__path__), key=lambda module: module.name):
        yield from getattr(import_module(f"{__name__}.{info.name}"), "CASES", ())


# Those that are no commands of the documents run when they are asked for by id.
KNOWN: tuple[Case, ...] = tuple(sorted(_find_cases(), key=lambda entry: not entry.documented))
CASES: tuple[Case, ...] = tuple(entry for entry in KNOWN if entry.documented)
PUZZLES: tuple[str, ...] = tuple(dict.fromkeys(entry.puzzle for entry in CASES))
PLACES: dict[str, CoursePlace] = {
    puzzle: getattr(import_module(f"{__name__}.{puzzle}"), "PLACE", CoursePlace()) for puzzle in PUZZLES
}
# The puzzles of each part; both in order.
PARTS: dict[str, tuple[str, ...]] = {
    part: tuple(puzzle for puzzle in PUZZLES if PLACES[puzzle].part == part)
    for part in dict.fromkeys(place.part for place in PLACES.values())
}

for _language in LANGUAGES[1:]:
    add_lazily(_language, partial(load_terms, _language))

_BY_ID = {entry.id: entry for entry in KNOWN}
if len(_BY_ID) != len(KNOWN):
    raise ValueError("two cases of the catalogue share an id")


def find_case(name: str) -> Case:
    """Return the case with exactly this id, such as `p15` or `p26:pair-swap`, documented or not.

    Raises:
        UsageError: No case has the id, as for a puzzle's name if it has modes; the message names the nearest id.
    """
    if name not in _BY_ID:
        raise unknown_name("case", name, _BY_ID)
    return _BY_ID[name]


def is_name(name: str) -> bool:
    """Return whether a text is the id of a case, or a puzzle's name."""
    return any(name in (entry.id, entry.puzzle) for entry in KNOWN)


def select_cases(names: list[str] | tuple[str, ...]) -> tuple[Case, ...]:
    """Return the cases with these names, each once, in the catalogue's order.

    Args:
        names: Ids of cases, documented or not, or puzzles for all of their modes; empty for all documented cases.

    Raises:
        UsageError: A name is unknown; the message names the nearest.
    """
    selected = set()
    for name in names:
        ids = [entry.id for entry in KNOWN if name in (entry.id, entry.puzzle)]
        if not ids:
            raise unknown_name("case", name, dict.fromkeys([*_BY_ID, *PUZZLES]))
        selected.update(ids)
    return tuple(entry for entry in KNOWN if entry.id in selected) if names else CASES


def select_documented(names: list[str] | tuple[str, ...]) -> tuple[Case, ...]:
    """Return the documented cases among `select_cases(names)`; the others are left out.

    Raises:
        UsageError: A name is unknown, or no case is documented; then the message proposes the documented cases of the
            first name's puzzle.
    """
    cases = tuple(entry for entry in select_cases(names) if entry.documented)
    if not cases:
        puzzle = names[0].partition("@")[0]  # of full size: there is nothing to solve
        raise unknown_name("case", names[0], [entry.id for entry in CASES if entry.puzzle == puzzle])
    return cases


def select_one_case(name: str) -> Case:
    """Return the case with an id, or the only case of a puzzle, documented or not.

    Raises:
        UsageError: The name is unknown, and the message names the nearest; or a puzzle has several cases, and it names
            all of them.
    """
    cases = select_cases([name])
    if len(cases) > 1:
        raise UsageError(f"{name} has several modes: choose one of {', '.join(entry.id for entry in cases)}.")
    return cases[0]
