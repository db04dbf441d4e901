"""Records of a drawn figure and of a lesson's request for one; parse a request, load the texts of figures."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from harness.errors import UsageError, unknown_name
from harness.learning.words import Phrases, load_phrases

__all__ = ["Figure", "FigureRequest", "load_figure_phrases"]

_TABLE = Path(__file__).parent / "words.json"
_OPTIONS = ("across", "block", "label", "lane", "line", "most", "target")
_COUNTS = ("across", "most")  # options of which 0 would leave nothing to draw


@dataclass(frozen=True, slots=True)
class Figure:
    """A drawn figure.

    Attributes:
        svg: The content of the file.
        alt: A description in one line, for those who cannot see it.
        width: The width in pixels.
        row_count: How many rows, or exchanges, are drawn.
    """

    svg: str
    alt: str
    width: int
    row_count: int


@dataclass(frozen=True, slots=True)
class FigureRequest:
    """A lesson's request for a figure.

    Attributes:
        case: The case's id.
        kind: A key of `KINDS`, or of `DECLARED`.
        name: The buffer's or the variable's name, or empty.
        options: `across` (the elements of a row of shared memory), `block` (its number), `line` (whose requests are
            drawn; 0 for any), `label` (a variable that names the rows), `lane` (whose value is followed), `most` (the
            maximum number of columns) and `target` (`amd:gfx942`).
    """

    case: str
    kind: str
    name: str = ""
    options: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def parse(cls, text: str) -> FigureRequest:
        """Parse a request like `p15 cells cache label=stride`: a case, a kind, perhaps a name, and options.

        Only the options' names are checked. The last of two options with one name counts.

        Raises:
            UsageError: There are not two or three words beside the options, or an option is unknown.
        """
        words = text.split()
        options = dict(word.split("=", 1) for word in words if "=" in word)
        plain = [word for word in words if "=" not in word]
        if not 2 <= len(plain) <= 3:
            raise UsageError(f"figure {text!r}: a figure is asked for by case, kind and name, `p15 cells cache`.")
        for key in options:
            if key not in _OPTIONS:
                raise unknown_name("option of a figure", key, _OPTIONS)
        return cls(plain[0], plain[1], plain[2] if len(plain) > 2 else "", options)

    def number(self, key: str, default: int) -> int:
        """Return an option as a whole number, or `default` if it is not given.

        Raises:
            UsageError: The option is not made of digits alone; a sign is refused. Or `across` or `most` is 0.
        """
        if key not in self.options:
            return default
        text = self.options[key]
        if not text.isdecimal():
            raise UsageError(f"{self}: {key} has to be a whole number.")
        if key in _COUNTS and not int(text):
            raise UsageError(f"{self}: {key} has to be at least 1.")
        return int(text)

    @property
    def stem(self) -> str:
        """The name of the figure's file, without its ending: case, kind, name and sorted options, joined by dashes.

        Characters other than letters, digits and dashes become dashes, several (but not `_`) in a row a single dash:
        `p15-cells-cache-label-stride`.
        """
        words = [self.case, self.kind, self.name, *(f"{key}-{value}" for key, value in sorted(self.options.items()))]
        return re.sub(r"[^\w-]+", "-", "-".join(part for part in words if part)).replace("_", "-")

    def __str__(self) -> str:
        words = [self.case, self.kind, self.name, *(f"{key}={value}" for key, value in self.options.items())]
        return f"figure {' '.join(part for part in words if part)}"


def load_figure_phrases(language: str) -> Phrases:
    """Return the texts of figures in a language: their own and those of the page."""
    return Phrases(language, load_phrases(language).texts | load_phrases(language, _TABLE).texts)
