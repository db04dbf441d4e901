"""A kernel's file with other values of its constants than the ones it states, of which no line and no column moves."""

from __future__ import annotations

import re
import string
from collections.abc import Iterable, Mapping

__all__ = ["redefined", "stand_ins"]


def redefined(text: str, constants: Mapping[str, int | str]) -> str:
    """The text of a file in which constants have other values; one that it does not state is left out.

    What the file states keeps its place under a name of the same length (`stand_ins`); the constants follow behind the
    last line. A number stays a literal, as which it fits every type.
    """
    kept = stand_ins(text, constants)
    for name, stand_in in kept.items():
        text = _stated(name).sub(rf"\g<1>{stand_in}", text, count=1)
    behind = "".join(f"comptime {name} = {constants[name]}\n" for name in kept)
    return f"{text}\n{behind}" if behind else text


def stand_ins(text: str, constants: Iterable[str]) -> dict[str, str]:
    """Under which names a file keeps what it states as constants; without those that it does not state."""
    words, kept = set(re.findall(r"\w+", text)), {}
    for constant in constants:
        names = ("_" * (len(constant) - 1) + letter for letter in string.ascii_letters)
        name = next((name for name in names if name not in words), None)
        if name is not None and _stated(constant).search(text):
            kept[constant] = name
            words.add(name)
    return kept


def _stated(constant: str) -> re.Pattern[str]:
    return re.compile(rf"^(comptime\s+){constant}\b(?=[^=\n]*=)", re.MULTILINE)
