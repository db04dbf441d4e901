"""A kernel's file with another size than the one it states, of which no line and no column moves."""

from __future__ import annotations

import re
import string

from harness.model.sizes import OtherSize

__all__ = ["resized", "stand_in"]


def resized(text: str, size: OtherSize) -> str:
    """The text of a file in which a constant has its other value; one that does not state it stays as it is.

    What the file states keeps its place under a name of the same length (`stand_in`); the constant follows behind the
    last line. It stays a literal, as which it fits every type.
    """
    name = stand_in(text, size.constant)
    if name is None:
        return text
    kept = _stated(size.constant).sub(rf"\g<1>{name}", text, count=1)
    return f"{kept}\ncomptime {size.constant} = {size.value}\n"


def stand_in(text: str, constant: str) -> str | None:
    """Under which name a resized file keeps what it states as a constant, or None where it does not state it."""
    if not _stated(constant).search(text):
        return None
    words = set(re.findall(r"\w+", text))
    names = ("_" * (len(constant) - 1) + letter for letter in string.ascii_letters)
    return next((name for name in names if name not in words), None)


def _stated(constant: str) -> re.Pattern[str]:
    return re.compile(rf"^(comptime\s+){constant}\b(?=[^=\n]*=)", re.MULTILINE)
