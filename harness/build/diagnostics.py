"""What the compiler said, for people: its errors and what it notes of them, about the real files."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from harness.model.sources import GENERATED, shown

__all__ = ["NOTES", "diagnostics", "shown_origin"]

_LOCATED = re.compile(r"^(?P<path>\S.*?\.mojo):(?P<line>\d+):(?P<column>\d+): (?P<kind>\w+): (?P<text>.*)")
_BARE = re.compile(r"^(?P<kind>error|note): (?P<text>.*)")
NOTES = 4  # of an error that are kept
_UNEXPECTED = "unexpected character"  # what is said of each byte of one, with its line and no caret
_FRAME = "call expansion failed"  # a note that says where, not what
# Says that something failed, not what.
_NOISE = (
    "failed to parse the provided",
    "failed to run the pass manager",
    "could not elaborate the generated",
    "function instantiation failed",
)
# What LLVM says of a symbol for NVIDIA.
_OTHER_LETTERS = "Symbol name with unsupported characters"


@dataclass(frozen=True, slots=True)
class _Call:
    """A call that led to an error.

    Attributes:
        here: Its place, with a colon.
        below: Its line and a caret.
        own: Whether it is in a file of the user's.
    """

    here: str
    below: Sequence[str]
    own: bool


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
    lines = text.rstrip("\n").split("\n")  # as the compiler counts them, not at a form feed
    kept: list[str] = []
    notes = 0
    calls: list[_Call] = []
    for position, line in enumerate(lines):
        located, bare = _LOCATED.match(line), _BARE.match(line)
        match = located or bare
        if match is None:
            continue
        if match["kind"] == "error":
            calls = []
        if any(noise in match["text"] for noise in _NOISE):
            continue
        here, below = "", _carets(lines[position + 1 : position + 3])
        if located:
            here = f"{shown_origin(located['path'], origins or {})}:{located['line']}:{located['column']}: "
        if _FRAME in match["text"]:
            calls.append(_Call(here, below, bool(located and _written_by_user(located["path"], origins or {}))))
        elif calls or "constraint failed" in match["text"]:
            kept += _elaboration(match["text"], calls or [_Call(here, below, own=True)])
            calls, notes = [], NOTES
        elif match["text"] == _UNEXPECTED and located:
            kept += _unexpected(here, int(located["column"]), "".join(lines[position + 1 : position + 2]))
        elif match["kind"] == "error":
            kept += [f"{here}error: {match['text']}", *below]
            notes = NOTES
        elif match["kind"] == "note" and notes > 0:
            # Where a library says it, the place in it is no help; what it says is.
            own = here if located and _own(located["path"], origins or {}) else ""
            kept += [f"  {own}note: {match['text']}", *(f"  {line}" for line in below if own)]
            notes -= 1
    if not kept:
        told = [line for line in lines if not any(noise in line for noise in _NOISE)]
        kept = [line for line in told if "error" in line.lower()][:8] or told[-8:] or lines[-8:]
    if any(_OTHER_LETTERS in line for line in kept):
        kept.append("  note: kernels' symbols are made of the file's name, and NVIDIA's are ASCII alone: rename it")
    return "\n".join(kept)


def _unexpected(here: str, column: int, line: str) -> Iterator[str]:
    """A space or a sign that only looks like Mojo's, by its name, once for all of its bytes."""
    octets = line.encode()
    before, character = octets[: column - 1].decode(errors="replace"), octets[column - 1 :].decode(errors="replace")[:1]
    if character != "\ufffd":  # or it is one that is told already
        name = f" U+{ord(character):04X} ({unicodedata.name(character, '')})" if character else ""
        yield from (f"{here}error: {_UNEXPECTED}{name}", line, re.sub(r"[^\t]", " ", before) + "^")


def _elaboration(reason: str, calls: Sequence[_Call]) -> Iterator[str]:
    """What fails in the library or deep in the user's own code: the user's innermost call, then those around it."""
    *around, call = [call for call in calls if call.own] or calls[-1:]
    yield from (f"{call.here}error: {reason}", *call.below)
    for outer in around[::-1][:NOTES]:
        yield from (f"  {outer.here}note: called from here", *(f"  {line}" for line in outer.below))


def _written_by_user(path: str, origins: Mapping[str, Path]) -> bool:
    """Whether a file is neither the library's nor made by the harness."""
    from harness.simt.findings import LIBRARY_PREFIXES  # late: it takes along what a compiler need not wait for

    own = _own(path, origins)
    if own is not None:
        return own.parent != GENERATED
    return not origins and not path.startswith(LIBRARY_PREFIXES)


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
