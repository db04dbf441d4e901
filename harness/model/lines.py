"""Text as lines of a terminal."""

from __future__ import annotations

import re
import shutil
import unicodedata
from itertools import chain
from typing import TextIO

__all__ = ["columns", "fitted", "folded", "wrapped"]

_BETWEEN = re.compile(r" (?=(?:[^`]*`[^`]*`)*[^`]*$)")  # a space that no `command` has inside
_EXCERPT = re.compile(r"\s*\d* \| ")  # a line of a source, or the caret below it: broken, it would point at nothing


def columns(text: str) -> int:
    """How many columns of a terminal a text takes: Korean letters take two."""
    return sum(2 if unicodedata.east_asian_width(letter) in "WF" else 1 for letter in text)


def wrapped(text: str, width: int) -> list[str]:
    """The lines of a text, broken at spaces, but not inside of a `command` that a line has room for.

    Args:
        text: One paragraph.
        width: Columns of a line; a word that is longer has a line of its own.
    """
    pieces = ([piece] if columns(piece) <= width else piece.split(" ") for piece in _BETWEEN.split(text))
    lines = [""]
    for word in chain.from_iterable(pieces):
        longer = f"{lines[-1]} {word}" if lines[-1] else word
        if lines[-1] and columns(longer) > width:
            lines.append(word)
        else:
            lines[-1] = longer
    return lines


def folded(text: str, stream: TextIO) -> str:
    """The text for a stream: on a terminal lines end between words and keep their indentation, elsewhere they stay."""
    if not stream.isatty():
        return text
    width = shutil.get_terminal_size().columns
    return "\n".join(part for line in text.split("\n") for part in fitted(line, width))


def fitted(line: str, width: int) -> list[str]:
    """A line as lines that a width, in columns, has room for: indented as it is, unless it is of a source."""
    words = line.lstrip(" ")
    indent = line[: len(line) - len(words)]
    if columns(line) <= width or _EXCERPT.match(line):
        return [line]
    return [indent + part for part in wrapped(words, width - len(indent))]
