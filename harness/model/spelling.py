"""Process-wide setting: whether older Mojo spellings are replaced for the compiler; the note on what was replaced."""

from __future__ import annotations

import sys

from harness.model.language import translate

__all__ = ["is_as_is", "print_note", "set_as_is", "set_display_name"]

_MOST_IN_NOTE = 3  # replacements that the note names
_as_is: list[bool] = [False]
_reported: set[str] = set()
_display_names: dict[str, str] = {}


def set_as_is(*, as_is: bool) -> None:
    """Set whether files are compiled unchanged from now on, in this process."""
    _as_is[:] = [as_is]


def is_as_is() -> bool:
    """Return whether files are compiled as they are."""
    return _as_is[0]


def set_display_name(file: str, known_as: str) -> None:
    """Let notes call a temporary file by another name; such a note does not suggest to migrate the file."""
    _display_names[file] = known_as


def print_note(file: str, replaced: list[str]) -> None:
    """Print a note to stderr about the replacements in a file, once in a process for each file; nothing if there are
    none. It names at most three.

    Args:
        file: The file as people know it; `set_display_name` may have given it another name.
        replaced: The replacements, `old → new` each.
    """
    if not replaced or file in _reported:
        return
    _reported.add(file)
    names = ", ".join(replaced[:_MOST_IN_NOTE]) + (", ..." if len(replaced) > _MOST_IN_NOTE else "")
    if name := _display_names.get(file):
        line = f"note: {name} is written for an older Mojo and compiled with {names}; --as-is leaves it alone."
    else:
        line = (
            f"note: {file} is written for an older Mojo and compiled with {names}: "
            f"`puzzles migrate {file} --write` changes the file, --as-is leaves the text alone."
        )
    print(translate(line), file=sys.stderr, flush=True)
