"""Give constants of a kernel's file other values without moving any line or column."""

from __future__ import annotations

import re
import string
from collections.abc import Iterable, Mapping

__all__ = ["choose_stand_ins", "redefine"]


def redefine(text: str, constants: Mapping[str, int | str]) -> str:
    """Return a file's text with other values for constants; those that `choose_stand_ins` omits are ignored.

    The file's own definitions keep their place under names of equal length (`choose_stand_ins`); the new ones follow
    the last line. Numbers stay literals, so that they fit every type.
    """
    replacements = choose_stand_ins(text, constants)
    for name, stand_in in replacements.items():
        text = _definition_of(name).sub(rf"\g<1>{stand_in}", text, count=1)
    appended = "".join(f"comptime {name} = {constants[name]}\n" for name in replacements)
    return f"{text}\n{appended}" if appended else text


def choose_stand_ins(text: str, constants: Iterable[str]) -> dict[str, str]:
    """Return, for each constant that a file defines, an unused name of the same length for its own definition.

    The names are distinct. Constants that no `comptime NAME =` at a line's beginning defines are left out, and those
    with no unused name.
    """
    words, replacements = set(re.findall(r"\w+", text)), {}
    for constant in constants:
        names = ("_" * (len(constant) - 1) + letter for letter in string.ascii_letters)
        name = next((name for name in names if name not in words), None)
        if name is not None and _definition_of(constant).search(text):
            replacements[constant] = name
            words.add(name)
    return replacements


def _definition_of(constant: str) -> re.Pattern[str]:
    return re.compile(rf"^(comptime\s+){constant}\b(?=[^=\n]*=)", re.MULTILINE)
