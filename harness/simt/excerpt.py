"""Read and quote source lines for findings; find the names of indexed, shared and local arrays in them."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from pathlib import Path

from harness.simt.findings import ARRAY
from harness.simt.plain import printable

__all__ = ["Excerpts", "captured_name", "caret", "character_column", "indexed_name", "local_name", "shared_name"]

# Of files in languages that kernels are written in: device code comes from no others.
SUFFIXES = {".mojo", ".🔥", ".cu", ".cuh", ".cl", ".hip", ".metal", ".c", ".cc", ".cpp", ".cxx", ".h", ".hpp"}
LARGEST = 1 << 20  # bytes of a file that is read for its lines
WIDEST = 160  # characters of a line that is shown
_FUNCTION = re.compile(r"^(\s*)(?:def|fn)\s")
_LOCAL = re.compile(r"\b(stack_allocation|InlineArray)\b")
_ASSIGNED = re.compile(r"^\s*(?:var\s+|comptime\s+)?(\w+)\s*(?::[^=]*)?=(?!=)")


class Excerpts:
    """Read lines of some files, or of files below some folders, and of no others.

    Device code names its source files, and device code may be a stranger's: it
    must not bring the lines of any file that it names into a report.

    Args:
        allowed: Files and folders.
        root: The folder of relative names; the current folder if None.
    """

    def __init__(self, *allowed: Path, root: Path | None = None) -> None:
        self._allowed = [path.resolve() for path in allowed]
        self._root = (root or Path.cwd()).resolve()
        self._lines: dict[str, Sequence[str]] = {}

    def __call__(self, file: str) -> Sequence[str]:
        """Return the lines of a file, read at the first call; none if it may not be shown, cannot be read or has over
        1 MiB.
        """
        if file not in self._lines:
            self._lines[file] = self._read(file)
        return self._lines[file]

    def _read(self, file: str) -> Sequence[str]:
        try:
            path = (self._root / file).resolve()
            is_allowed = path.suffix.lower() in SUFFIXES and any(
                path.is_relative_to(folder) for folder in self._allowed
            )
            if is_allowed and path.is_file() and path.stat().st_size <= LARGEST:
                return path.read_text(encoding="utf-8", errors="replace").split("\n")
        except (OSError, ValueError):  # not a valid file name
            pass
        return ()


def character_column(lines: Sequence[str], line: int, column: int) -> int:
    """Return a column in characters, for people and editors, given the compiler's in bytes of UTF-8; both from 1.

    The column stays if the line is unknown or ASCII, or does not have so many bytes.
    """
    text = lines[line - 1] if 0 < line <= len(lines) else ""
    octets = text.encode("utf-8", "surrogatepass")
    if text.isascii() or not 0 < column <= len(octets) + 1:
        return column
    return len(octets[: column - 1].decode("utf-8", "ignore")) + 1


def caret(lines: Sequence[str], line: int, column: int) -> tuple[str, ...]:
    """Return a line with its number, and a line with a caret below its column; nothing if the line is not there.

    Only the first if the column is not in the line. At most 160 characters are shown, around the column; they are
    `printable`, with spaces for tabs.

    Args:
        line, column: From 1; the column in characters.
    """
    if not 0 < line <= len(lines):
        return ()
    source = lines[line - 1].rstrip().replace("\t", " ")
    start = max(0, column - WIDEST // 2) if len(source) > WIDEST else 0
    excerpt = printable(source[start : start + WIDEST])
    number = f"{line:6}"
    first = (f"{number} | {excerpt}",)
    if not 0 < column <= len(source):
        return first
    before = printable(source[start : column - 1])
    blank = sum(2 if unicodedata.east_asian_width(character) in "WF" else 1 for character in before)
    return (*first, f"{' ' * len(number)} | {' ' * blank}^")


def indexed_name(lines: Sequence[str], line: int, column: int) -> str:
    """Return the name of the array that is indexed at a line and column, from 1; the placeholder `ARRAY` if unclear.

    It is the name right before the column, or before a `.load` or `.store` there.
    """
    text = lines[line - 1] if 0 < line <= len(lines) else ""
    match = re.search(r"(\w+)(?:\.(?:load|store)(?:\[[^\[\]]*\])?)?\s*$", text[: max(0, column - 1)])
    return match[1] if match else ARRAY


def captured_name(lines: Sequence[str], line: int, column: int) -> str | None:
    """Return the variable at a line and column, counted from 1, if a closure captures it; else None.

    A closure is a function after a line `@parameter`; it captures a name that it does not declare or assign.
    """
    if not 0 < line <= len(lines):
        return None
    first, function = _function(lines, line)
    match = re.match(r"[^\W\d]\w*", lines[line - 1][max(0, column - 1) :])
    if match is None or first == 0 or lines[first - 1].strip() != "@parameter":
        return None
    declaration = rf"\b(?:var|for|def)\s+{match[0]}\b|\b{match[0]}\s*:|^\s*{match[0]}\s*=(?!=)"
    return None if any(re.search(declaration, code) for code in function) else match[0]


def shared_name(lines: Sequence[str], line: int, number: int) -> str | None:
    """Return the variable that holds a function's shared array, by the array's number.

    None if the function has no such array, or the access does not name it. Compilers of Mojo number the stack
    allocations of a function and forget their names.

    Args:
        lines: Of the file.
        line: Of an access to the array, counted from 1; its statement must name the variable, or a view of it.
        number: Counted from 0 among the shared arrays of the function.
    """
    if not 0 < line <= len(lines):
        return None
    first, function = _function(lines, line)
    names = [name for name, statement in _assignments(function) if _is_shared(statement)]
    if number >= len(names):
        return None
    array, statement = names[number], next(text for last, text in _statements(function) if line - 1 - first <= last)
    views = [
        name for name, expression in _assignments(function) if re.search(rf"=\s*{array}\.(?!load\b)\w", expression)
    ]
    return array if re.search(rf"\b(?:{'|'.join((array, *views))})\b", statement) else None


def local_name(lines: Sequence[str], line: int) -> str | None:
    """Return the variable of a local array that is made on a line of a file, counted from 1.

    None unless the line assigns a stack allocation outside of shared memory, or an `InlineArray`.
    """
    if not 0 < line <= len(lines) or not _ASSIGNED.match(lines[line - 1]):
        return None
    name, statement = next(_assignments(lines[line - 1 :]))
    return name if _LOCAL.search(statement) and not _is_shared(statement) else None


def _is_shared(statement: str) -> bool:
    return "stack_allocation" in statement and "SHARED" in statement


def _function(lines: Sequence[str], line: int) -> tuple[int, Sequence[str]]:
    """Return (index of its first line, from 0; its lines) of the function with the nearest `def` or `fn` above a line.

    That may be the line itself, counted from 1. The function goes on to the next one that is not nested in it. Without
    a function above, the result is the line alone.
    """
    for first in range(line - 1, -1, -1):
        if match := _FUNCTION.match(lines[first]):
            for end in range(first + 1, len(lines)):
                other = _FUNCTION.match(lines[end])
                if other and len(other[1]) <= len(match[1]):
                    return first, lines[first:end]
            return first, lines[first:]
    return line - 1, lines[line - 1 : line]


def _assignments(lines: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yield (name, statement) of each assignment."""
    for index, line in enumerate(lines):
        if match := _ASSIGNED.match(line):
            yield match[1], next(_statements(lines[index:]))[1]


def _statements(lines: Sequence[str]) -> Iterator[tuple[int, str]]:
    """Yield (index of its last line, text) of each statement; one ends where its brackets do.

    The text is that of its lines, concatenated without comments and line ends. A bracket in a string may never end: a
    line that is indented no further, and closes none, begins another statement.
    """
    statement, depth, edge = "", 0, 0
    for number, line in enumerate(lines):
        code = line.partition("#")[0].expandtabs()
        indent = len(code) - len(code.lstrip())
        if statement and code.strip() and (depth <= 0 or (indent <= edge and code.lstrip()[0] not in ")]}")):
            yield number - 1, statement
            statement, depth = "", 0
        if not statement:
            edge = indent
        statement += code
        depth += sum(map(code.count, "([{")) - sum(map(code.count, ")]}"))
    if lines:
        yield len(lines) - 1, statement
