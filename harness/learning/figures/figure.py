"""What a figure is, and what a lesson says to get one."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from harness.errors import UsageError, unknown
from harness.learning.words import Phrases, phrases

__all__ = ["Figure", "Wish", "figure_phrases"]

_TABLE = Path(__file__).parent / "words.json"
_OPTIONS = ("across", "block", "label", "lane", "line", "most", "target")


@dataclass(frozen=True, slots=True)
class Figure:
    """A drawing.

    Attributes:
        svg: The file.
        alt: What it shows, for who does not see it, in one line.
        width: In pixels.
        rows: How many rows, or exchanges, are drawn.
    """

    svg: str
    alt: str
    width: int
    rows: int


@dataclass(frozen=True, slots=True)
class Wish:
    """A figure that a lesson asks for.

    Attributes:
        case: The case's id.
        kind: One of `KINDS`, or of `DECLARED`.
        name: Of the buffer or the variable, or empty.
        options: `across` (the elements of a row of shared memory), `block` (its number), `line` (whose requests are
            drawn; 0 for any), `label` (a variable that names the rows), `lane` (whose value is
            followed), `most` (columns that are drawn at most) and `target` (`amd:gfx942`).
    """

    case: str
    kind: str
    name: str = ""
    options: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def parse(cls, text: str) -> Wish:
        """Reads `p15 cells cache label=stride`.

        Raises:
            UsageError: It is not of this form.
        """
        words = text.split()
        options = dict(word.split("=", 1) for word in words if "=" in word)
        plain = [word for word in words if "=" not in word]
        if not 2 <= len(plain) <= 3:
            raise UsageError(f"figure {text!r}: a figure is asked for by case, kind and name, `p15 cells cache`.")
        for key in options:
            if key not in _OPTIONS:
                raise unknown("option of a figure", key, _OPTIONS)
        return cls(plain[0], plain[1], plain[2] if len(plain) > 2 else "", options)

    def number(self, key: str, usual: int) -> int:
        """An option that is a whole number.

        Raises:
            UsageError: It is none.
        """
        text = self.options.get(key, str(usual))
        if not text.isdecimal():
            raise UsageError(f"{self}: {key} has to be a whole number.")
        return int(text)

    @property
    def stem(self) -> str:
        """The name of its file, without what comes after a dot."""
        parts = [self.case, self.kind, self.name, *(f"{key}-{value}" for key, value in sorted(self.options.items()))]
        return re.sub(r"[^\w-]+", "-", "-".join(part for part in parts if part)).replace("_", "-")

    def __str__(self) -> str:
        parts = [self.case, self.kind, self.name, *(f"{key}={value}" for key, value in self.options.items())]
        return f"figure {' '.join(part for part in parts if part)}"


def figure_phrases(language: str) -> Phrases:
    """What figures say, in a language: their own words and those of the page."""
    return Phrases(language, phrases(language).texts | phrases(language, _TABLE).texts)
