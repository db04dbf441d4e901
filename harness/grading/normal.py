"""What of a Mojo file counts: its text without comments, blank lines and what trails behind a line.

Files with the same normal form are graded once. Its lines stand in the same order in each of them, so that a place in
one file can be told as the place in another.
"""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass

__all__ = ["Normal", "normal", "same_place"]

# What a comment sign may stand in without beginning a comment, longest quotes first; an open string runs to the end.
_TOKEN = re.compile(
    r'"""(?:\\.|[^\\])*?(?:"""|\Z)'
    r"|'''(?:\\.|[^\\])*?(?:'''|\Z)"
    r'|"(?:\\.|[^"\\\n])*"?'
    r"|'(?:\\.|[^'\\\n])*'?"
    r"|#[^\n]*",
    re.DOTALL,
)


@dataclass(frozen=True, slots=True)
class Normal:
    """The normal form of a file.

    Attributes:
        text: What is left.
        lines: Of each line of it, the number in the file, from 1.
    """

    text: str
    lines: tuple[int, ...]

    def digest(self, *facts: str) -> str:
        """A name for this content and some facts beside it."""
        whole = "\0".join((*facts, self.text))
        return hashlib.sha256(whole.encode("utf-8", "surrogatepass")).hexdigest()


def normal(text: str) -> Normal:
    """The normal form of a Mojo file."""
    text = text.removeprefix("\ufeff").replace("\r\n", "\n")
    inside: set[int] = set()  # lines that begin in a string: what they hold counts, blanks too

    def kept(match: re.Match[str]) -> str:
        if match[0].startswith("#"):
            return ""
        if "\n" in match[0]:
            first = text.count("\n", 0, match.start())
            inside.update(range(first + 1, first + 1 + match[0].count("\n")))
        return match[0]

    lines = enumerate(_TOKEN.sub(kept, text).split("\n"))
    left = [(at + 1, line if at + 1 in inside else line.rstrip()) for at, line in lines if line.strip() or at in inside]
    return Normal("\n".join(line for _, line in left), tuple(number for number, _ in left))


def same_place(line: int, graded: Normal, own: Normal) -> int:
    """The line of a file that stands for a line of another one with the same normal form.

    Args:
        line: In the file that was graded; one that does not count is told by the next that does.
        graded: That file.
        own: The other one.
    """
    at = next((at for at, number in enumerate(graded.lines) if number >= line), len(graded.lines) - 1)
    return own.lines[at] if own.lines else line
