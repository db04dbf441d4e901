"""Convert values to JSON's types (NaN to text); escape control characters and CI commands in untrusted text."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from typing import Any

__all__ = ["one_line", "plain", "printable"]

# Control characters, what turns the direction of writing or hides in it, line ends that
# are not "\n", and halves of surrogate pairs, which no encoding has.
_UNPRINTABLE = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ud800-\udfff]"
)
# What CI services take for a command: `::name` where a line begins, and anywhere in it `##[name]` (GitHub, Azure),
# `##vso[` (Azure) and `##teamcity[`. Those of GitLab and Travis need a carriage return, which is not left.
_COMMAND = re.compile(r"^([^\S\n]*)(?=::)|#(?=#\w*\[)", re.MULTILINE)


def printable(text: str) -> str:
    """Return a stranger's text in a form that affects neither the terminal nor the CI job whose log shows it.

    Control characters, invisible ones and surrogates become escapes; tabs and line ends stay. A backslash breaks what a
    CI service would take for a command: before `::` where a line begins, and between the `#` of `##[` and the like.
    """
    escaped = _UNPRINTABLE.sub(lambda match: match[0].encode("unicode_escape").decode("ascii"), text)
    return _COMMAND.sub(lambda match: f"{match[0]}\\", escaped)


def one_line(text: str) -> str:
    """Return a name that somebody else chose, for use in a sentence: like `printable`, with tabs and line ends escaped
    too.
    """
    return printable(text).replace("\n", "\\n").replace("\t", "\\t")


def plain(value: Any) -> Any:
    """Return a value that consists only of types that JSON has; keys become text, and dataclasses dictionaries.

    NaN and infinities become the strings "NaN", "Infinity" and "-Infinity"; sets and NumPy's arrays become lists, its
    numbers Python's, and values of other types text.
    """
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [plain(item) for item in value]
    if hasattr(value, "tolist"):  # NumPy's arrays and numbers; NumPy itself need not be loaded to write a report
        return plain(value.tolist())
    if isinstance(value, float) and not math.isfinite(value):
        return "NaN" if math.isnan(value) else ("Infinity" if value > 0 else "-Infinity")
    if is_dataclass(value) and not isinstance(value, type):
        return {field.name: plain(getattr(value, field.name)) for field in fields(value)}
    return value if isinstance(value, str | int | float | bool | None) else str(value)
