"""The process's setting whether older spellings of Mojo are replaced for the compiler, and the note that says so."""

from __future__ import annotations

import sys

from harness.model.language import told

__all__ = ["choose", "is_as_is", "name", "report"]

_NAMED = 3  # replacements that the note names
_as_is: list[bool] = [False]
_reported: set[str] = set()
_named: dict[str, str] = {}


def choose(*, as_is: bool) -> None:
    """Set whether the files of what follows are compiled as they are."""
    _as_is[:] = [as_is]


def is_as_is() -> bool:
    """Return whether files are compiled as they are."""
    return _as_is[0]


def name(file: str, known_as: str) -> None:
    """Let notes call a temporary file by what people know it as; it is nothing that they could migrate."""
    _named[file] = known_as


def report(file: str, replaced: list[str]) -> None:
    """Print one note about a file, once in a process.

    Args:
        file: As people know it.
        replaced: What was replaced: `old → new` of each, once.
    """
    if not replaced or file in _reported:
        return
    _reported.add(file)
    names = ", ".join(replaced[:_NAMED]) + (", ..." if len(replaced) > _NAMED else "")
    if file in _named:
        line = f"note: {_named[file]} is written for an older Mojo and compiled with {names}; --as-is leaves it alone."
    else:
        line = (
            f"note: {file} is written for an older Mojo and compiled with {names}: "
            f"`puzzles migrate {file} --write` changes the file, --as-is leaves the text alone."
        )
    print(told(line), file=sys.stderr, flush=True)
