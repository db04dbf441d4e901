"""What the compiler said, for people: its errors and what it notes of them, about the real files."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path

from harness.model.sources import shown

__all__ = ["NOTES", "diagnostics", "shown_origin"]

_LOCATED = re.compile(r"^(?P<path>[^\s:][^:]*\.mojo):(?P<line>\d+):(?P<column>\d+): (?P<kind>\w+): (?P<text>.*)")
_BARE = re.compile(r"^(?P<kind>error|note): (?P<text>.*)")
NOTES = 4  # of an error that are kept
_FRAME = "call expansion failed"  # a note that says where, not what
# Says that something failed, not what.
_NOISE = (
    "failed to parse the provided",
    "failed to run the pass manager",
    "could not elaborate the generated",
    "function instantiation failed",
)


def diagnostics(text: str, origins: Mapping[str, Path] | None = None) -> str:
    """The compiler's errors out of everything it printed.

    Args:
        text: What the compiler, or MAX around it, printed.
        origins: Staged path (or its end) to the real file.

    Returns:
        `file:line:column: error: ...` lines with the source line and caret
        below them, paths relative to the repository, and below these what the
        compiler notes about each: why a call does not fit, what to write instead.
    """
    lines = text.splitlines()
    kept: list[str] = []
    place, notes = "", 0
    caret: list[str] = []
    for position, line in enumerate(lines):
        located, bare = _LOCATED.match(line), _BARE.match(line)
        match = located or bare
        if match is None or any(noise in match["text"] for noise in _NOISE):
            continue
        here, below = "", _carets(lines[position + 1 : position + 3])
        if located:
            here = f"{shown_origin(located['path'], origins or {})}:{located['line']}:{located['column']}: "
        if "constraint failed" in match["text"]:
            # Said of the library; what matters is the innermost call in the puzzle's own file.
            kept += [f"{place or here}error: {match['text']}", *(caret if place else below)]
        elif _FRAME in match["text"]:
            place, caret = here, below
        elif match["kind"] == "error":
            kept += [f"{here}error: {match['text']}", *below]
            notes = NOTES
        elif match["kind"] == "note" and notes > 0:
            # Where a library says it, the place in it is no help; what it says is.
            own = here if located and _own(located["path"], origins or {}) else ""
            kept += [f"  {own}note: {match['text']}", *(f"  {line}" for line in below if own)]
            notes -= 1
    if not kept:
        kept = [line for line in lines if "error" in line.lower()][:8] or lines[-8:]
    return "\n".join(kept)


def _carets(following: Sequence[str]) -> list[str]:
    if len(following) == 2 and set(following[1].strip()) <= set("^~ ") and following[1].strip():
        return list(following)
    return []


def shown_origin(path: str, origins: Mapping[str, Path]) -> str:
    return shown(_own(path, origins) or Path(path))


def _own(path: str, origins: Mapping[str, Path]) -> Path | None:
    """The user's file that a staged path stands for, if it does."""
    for staged, real in origins.items():
        if path == staged or staged.endswith(f"/{path.lstrip('./')}") or path.endswith(f"/{staged}"):
            return real
    return None
