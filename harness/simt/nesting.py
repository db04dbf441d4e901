"""Find the conditions and loops around a line of source, or around two, and the lines inside, by indentation."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

__all__ = [
    "LOOPS",
    "Header",
    "common_headers",
    "enclosing_headers",
    "has_loop",
    "headers_from",
    "lines_within",
]

LOOPS = ("for", "while")
_HEADER = re.compile(r"(?:comptime\s+|@parameter\s+)?(if|elif|else|for|while)\b(.*)")
_FUNCTION = re.compile(r"(?:def|fn)\s")
_CLOSING = (")", "]", "}")


@dataclass(frozen=True, slots=True)
class Header:
    """A line that begins a condition or a loop.

    Attributes:
        word: `if`, `elif`, `else`, `for` or `while`.
        line: Its number, counted from 1.
        text: What follows the word, up to where its block begins.
    """

    word: str
    line: int
    text: str

    @property
    def is_condition(self) -> bool:
        """True for a condition, which lets some threads through and others not; False for a loop."""
        return self.word not in LOOPS


def enclosing_headers(lines: Sequence[str], line: int) -> list[Header]:
    """Return the conditions and loops that a line lies in, up to its function, the innermost first.

    Empty if the line is not in the file. A line that is a header itself is not among them. Of an `if`
    with `elif` or `else`, only the branch that holds the line is among them.

    Args:
        lines: Of the file.
        line: Counted from 1.
    """
    if not 0 < line <= len(lines):
        return []
    headers: list[Header] = []
    edge, closing = _indent(lines[line - 1]), False
    if lines[line - 1].strip().startswith(_CLOSING):
        edge += 1  # the end of a statement, which begins at the same edge
    body = line
    for number in range(line - 1, 0, -1):
        code = lines[number - 1].partition("#")[0].rstrip()
        text, indent = code.strip(), _indent(code)
        if not text or indent > edge or (indent == edge and not closing):
            continue
        if _FUNCTION.match(text):
            break
        edge, closing = indent, text.startswith(_CLOSING)
        if not closing:
            if match := _HEADER.match(text):
                following = (code_line.partition("#")[0].strip() for code_line in lines[number : body - 1])
                headers.append(Header(match[1], number, " ".join((match[2], *_condition(match[2], following)))))
            body = number
    return headers


def headers_from(lines: Sequence[str], line: int) -> list[Header]:
    """Return what `enclosing_headers` does; the line's own header comes first, if it is one and its block has code."""
    if not 0 < line <= len(lines) or not _HEADER.match(lines[line - 1].strip()):
        return enclosing_headers(lines, line)
    inside = lines_within(lines, line)
    return enclosing_headers(lines, inside[0]) if inside else enclosing_headers(lines, line)


def lines_within(lines: Sequence[str], header: int) -> list[int]:
    """Return the numbers of the lines of code in the block of a condition or loop, without empty lines and comments.

    They are all lines after the header that are indented more, also those on which the header itself goes on.

    Args:
        header: The number of the line where it begins; all numbers count from 1.
    """
    edge, inside = _indent(lines[header - 1]), []
    for number in range(header + 1, len(lines) + 1):
        code = lines[number - 1].partition("#")[0]
        if code.strip() and _indent(code) > edge:
            inside.append(number)
        elif code.strip() and not code.strip().startswith(_CLOSING):
            break
    return inside


def common_headers(lines: Sequence[str], first: int, second: int) -> list[Header]:
    """Return the headers that `enclosing_headers` gives for both of two lines (from 1), the innermost first."""
    others = enclosing_headers(lines, second)
    return [header for header in enclosing_headers(lines, first) if header in others]


def has_loop(lines: Sequence[str], line: int) -> bool:
    """Return whether a `for` or `while` stands anywhere in the innermost function that a line (from 1) lies in.

    Outside of functions, it may stand in any line up to this one, or in the lines after it that are indented.
    """
    start = _function_line(lines, min(line, len(lines)))
    edge = _indent(lines[start]) if start >= 0 else 0
    for index in range(start + 1, len(lines)):
        text = lines[index].strip()
        if index >= line and text and _indent(lines[index]) <= edge and not text.startswith(_CLOSING):
            return False
        match = _HEADER.match(text)
        if match and match[1] in LOOPS:
            return True
    return False


def _function_line(lines: Sequence[str], line: int) -> int:
    """Return the index (from 0) of the `def` or `fn` of the innermost function around a line (from 1); -1 if none.

    If the line is such a `def` itself, its function counts.
    """
    edge = None
    for index in range(line - 1, -1, -1):
        code = lines[index].partition("#")[0].rstrip()
        text, indent = code.strip(), _indent(code)
        if not text or (edge is not None and indent >= edge):
            continue
        if _FUNCTION.match(text):
            return index
        edge = indent + 1 if text.startswith(_CLOSING) else indent  # the statement begins at the same edge
    return -1


def _condition(text: str, following: Iterable[str]) -> Iterable[str]:
    """Yield the lines of `following` on which a condition goes on, until the brackets that `text` opens are closed."""
    depth = _depth(text)
    for line in following:
        if depth <= 0:
            return
        depth += _depth(line)
        yield line


def _depth(text: str) -> int:
    return sum(map(text.count, "([{")) - sum(map(text.count, ")]}"))


def _indent(text: str) -> int:
    expanded = text.expandtabs()
    return len(expanded) - len(expanded.lstrip())
