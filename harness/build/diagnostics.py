"""Extract a compiler's errors and notes from its output, with the names of the real files."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from harness.model.sources import GENERATED, display_path

__all__ = ["NOTES", "display_origin", "extract_diagnostics"]

_LOCATED = re.compile(r"^(?P<path>\S.*?\.(?:mojo|🔥)):(?P<line>\d+):(?P<column>\d+): (?P<kind>\w+): (?P<text>.*)")
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
    "failed to link executable",
    "Failed to initialize Crashpad",
)
# Linkers and LLVM's back ends word their errors as they like, and print a stack after some.
_TOOL_ERROR = re.compile(r"\b(?:error|fatal|undefined)\b", re.IGNORECASE)
_STACK = "Stack dump:"
_STACK_FRAME = re.compile(r"^\s*#\d+ 0x")
_TOOL_LINES = 16  # of a tool's that are kept for one error
# Temporary files of the compiler have other names each time: only what they are made of is worth showing.
_IMPORTED = re.compile(r"^(?:Imported|Included) from \S+:\d+:$")  # above the place of an error, which says enough
_TEMPORARY = re.compile(r"(?:/[^\s/:]+)*/(?P<name>[^\s/:]+?)\d*-[0-9a-f]{6,}\.[ao]\b")
# What LLVM says of a symbol for NVIDIA.
_OTHER_LETTERS = "Symbol name with unsupported characters"


@dataclass(frozen=True, slots=True)
class _Call:
    """A call that led to an error.

    Attributes:
        location: Its location, with a colon.
        below: Its source line and a caret.
        is_own: Whether it is in a file of the user's.
    """

    location: str
    below: Sequence[str]
    is_own: bool


def extract_diagnostics(text: str, origins: Mapping[str, Path] | None = None) -> str:
    """Return the errors in everything that a compiler printed, or its useful lines if none is found there.

    Args:
        text: What the compiler, or MAX around it, printed.
        origins: The real file by its staged path, or by the end of that.

    Returns:
        `file:line:column: error: ...` lines with the source line and caret below them, paths relative to the
        repository, then up to four of the compiler's notes about each: why a call does not fit, what to write instead.
        Lines that a linker or LLVM adds to an error stand below it, at most 16. Errors that only say that something
        failed are left out. An error in a call of a library's function stands at the user's innermost call.
    """
    lines = text.rstrip("\n").split("\n")  # as the compiler counts them, not at a form feed
    result: list[str] = []
    notes = 0
    calls: list[_Call] = []
    matches = [_LOCATED.match(line) or _BARE.match(line) for line in lines]
    first = next((position for position, match in enumerate(matches) if match), len(lines))
    result += _filter_tool_lines(
        [line for line in lines[:first] if _TOOL_ERROR.search(line)] if first < len(lines) else []
    )
    for position, match in enumerate(matches):
        if match is None:
            continue
        located = match if match.re is _LOCATED else None
        below, tool_lines = _lines_below(lines, matches, position)
        if match["kind"] == "error":
            calls = []
        if any(noise in match["text"] for noise in _NOISE):
            result += _filter_tool_lines([line for line in tool_lines if _TOOL_ERROR.search(line)])
            continue
        location = ""
        if located:
            location = f"{display_origin(located['path'], origins or {})}:{located['line']}:{located['column']}: "
        if _FRAME in match["text"]:
            calls.append(_Call(location, below, bool(located and _written_by_user(located["path"], origins or {}))))
        elif calls or "constraint failed" in match["text"]:
            result += _locate_in_calls(match["text"], calls or [_Call(location, below, is_own=True)])
            calls, notes = [], NOTES
        elif match["text"] == _UNEXPECTED and located:
            result += _name_character(location, int(located["column"]), "".join(lines[position + 1 : position + 2]))
        elif match["kind"] == "error":
            result += [f"{location}error: {match['text']}", *_filter_tool_lines(tool_lines), *below]
            notes = NOTES
        elif match["kind"] == "note" and notes > 0:
            # Where a library says it, the place in it is no help; what it says is.
            prefix = location if located and _find_origin(located["path"], origins or {}) else ""
            result += [f"  {prefix}note: {match['text']}", *(f"  {line}" for line in below if prefix)]
            notes -= 1
    if not result:
        result = _filter_tool_lines(lines, has_error=False) or lines[-_TOOL_LINES:]
    if any(_OTHER_LETTERS in line for line in result):
        result.append("  note: kernels' symbols are made of the file's name, and NVIDIA's are ASCII alone: rename it")
    return "\n".join(result)


def _name_character(location: str, column: int, line: str) -> Iterator[str]:
    """Yield three lines about a character that is not Mojo's: the error with its Unicode name, its line, a caret.

    The compiler reports each byte of the character; nothing is yielded unless `column`, in bytes from 1, is the first
    byte's. `location` ends in a colon and a blank.
    """
    octets = line.encode()
    before, character = octets[: column - 1].decode(errors="replace"), octets[column - 1 :].decode(errors="replace")[:1]
    if character != "\ufffd":  # or it is one that is told already
        name = f" U+{ord(character):04X} ({unicodedata.name(character, '')})" if character else ""
        yield from (f"{location}error: {_UNEXPECTED}{name}", line, re.sub(r"[^\t]", " ", before) + "^")


def _locate_in_calls(reason: str, calls: Sequence[_Call]) -> Iterator[str]:
    """Yield the error at the user's innermost call, then a note at each of up to four of the user's outer calls.

    `calls` goes from outside in, the notes from inside out. A source line and a caret follow each. If no call is in a
    user's file, the error stands at the innermost call of all, without notes.
    """
    *around, call = [call for call in calls if call.is_own] or calls[-1:]
    yield from (f"{call.location}error: {reason}", *call.below)
    for outer in around[::-1][:NOTES]:
        yield from (f"  {outer.location}note: called from here", *(f"  {line}" for line in outer.below))


def _written_by_user(path: str, origins: Mapping[str, Path]) -> bool:
    """Return whether a file is neither the library's nor generated by the harness.

    With `origins`, a file that is none of them is not the user's; without, any that is not the library's is.
    """
    from harness.simt.findings import LIBRARY_PREFIXES  # late: it takes along what a compiler need not wait for

    real = _find_origin(path, origins)
    if real is not None:
        return real.parent != GENERATED
    return not origins and not path.startswith(LIBRARY_PREFIXES)


def _lines_below(
    lines: Sequence[str], matches: Sequence[re.Match[str] | None], position: int
) -> tuple[list[str], list[str]]:
    """Return what stands below a diagnostic: its source line and caret, and the lines that other tools added.

    The further lines of a message, between its first line and the source line, count as other tools' lines too; without
    a caret all lines do. Indented lines below a caret are dropped.
    """
    end = next((later for later in range(position + 1, len(lines)) if matches[later]), len(lines))
    block = lines[position + 1 : end]
    for caret in range(1, len(block)):
        if set(block[caret].strip()) <= set("^~ ") and block[caret].strip():
            # Below a caret an indented line shows what to write instead.
            others = [line for line in block[caret + 1 :] if not line.startswith((" ", "\t"))]
            return list(block[caret - 1 : caret + 1]), [*block[: caret - 1], *others]
    return [], list(block)


def _filter_tool_lines(lines: Sequence[str], *, has_error: bool = True) -> list[str]:
    """Return the first 16 useful lines of a tool's output, then `(N more lines)` if there are more.

    Empty lines, frames of stacks and known noise are left out. In the lines that stay, the path of a temporary file is
    cut to its name. Lines from a stack dump on are dropped if an error was reported above, or stands before the dump.

    Args:
        lines: What the tools printed.
        has_error: Whether the caller has read an error above these lines.
    """
    end = next((number for number, line in enumerate(lines) if line.startswith(_STACK)), len(lines))
    if has_error or any(_TOOL_ERROR.search(line) for line in lines[:end]):
        lines = lines[:end]
    useful = [
        line
        for line in lines
        if line.strip()
        and not (_STACK_FRAME.match(line) or _IMPORTED.match(line))
        and not any(noise in line for noise in _NOISE)
    ]
    more = [f"({len(useful) - _TOOL_LINES} more lines)"] if len(useful) > _TOOL_LINES else []
    return [_TEMPORARY.sub(r"\g<name>", line) for line in useful[:_TOOL_LINES]] + more


def display_origin(path: str, origins: Mapping[str, Path]) -> str:
    return display_path(_find_origin(path, origins) or Path(path))


def _find_origin(path: str, origins: Mapping[str, Path]) -> Path | None:
    """Return the user's file that a staged path stands for, or None; the end of either path suffices."""
    for staged, real in origins.items():
        if path == staged or staged.endswith(f"/{path.lstrip('./')}") or path.endswith(f"/{staged}"):
            return real
    return None
