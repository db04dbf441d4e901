"""Wrap text for a terminal: width of Korean letters, indentation, unbroken commands; other streams unchanged."""

from __future__ import annotations

import re
import shutil
import unicodedata
from itertools import chain
from typing import TextIO

__all__ = ["display_width", "fit_line", "fold_for_stream", "wrap"]

_BETWEEN = re.compile(r" (?=(?:[^`]*`[^`]*`)*[^`]*$)")  # a space that no `command` has inside
_EXCERPT = re.compile(r"\s*\d* \| ")  # a line of a source, or the caret below it: broken, it would point at nothing


def display_width(text: str) -> int:
    """Return how many columns of a terminal a text takes: two for a wide letter (Korean), else one for a character."""
    if text.isascii():
        return len(text)
    return sum(2 if unicodedata.east_asian_width(letter) in "WF" else 1 for letter in text)


def wrap(text: str, width: int) -> list[str]:
    """Break a paragraph at spaces into lines of at most `width` columns, but not inside a `command` that fits a line.

    A longer word gets a line of its own. An empty text is one empty line.
    """
    word_groups = ([phrase] if display_width(phrase) <= width else phrase.split(" ") for phrase in _BETWEEN.split(text))
    lines = [""]
    for word in chain.from_iterable(word_groups):
        longer = f"{lines[-1]} {word}" if lines[-1] else word
        if lines[-1] and display_width(longer) > width:
            lines.append(word)
        else:
            lines[-1] = longer
    return lines


def fold_for_stream(text: str, stream: TextIO) -> str:
    """Return a text for a stream: wrapped to the terminal's width with its indentation, or unchanged elsewhere."""
    if not stream.isatty():
        return text
    width = shutil.get_terminal_size().columns
    return "\n".join(part for line in text.split("\n") for part in fit_line(line, width))


def fit_line(line: str, width: int) -> list[str]:
    """Split a line into lines of at most `width` columns with the same indentation.

    A line that fits, or an excerpt of source (`12 | code`), stays whole.
    """
    words = line.lstrip(" ")
    indent = line[: len(line) - len(words)]
    if display_width(line) <= width or _EXCERPT.match(line):
        return [line]
    return [indent + part for part in wrap(words, width - len(indent))]
