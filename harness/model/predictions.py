"""Parse, blank and check a learner's predictions, numbers in comments of a kernel's file (PREDICT regions).

A region begins with a line `# PREDICT: <hint>` in a function and ends with a line `# END OF PREDICT`. Each line between
the two is a question and its answer: `# <sentence>: <number>`, with `?` for an answer that is still open. To the
compiler all of it is a comment.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

__all__ = ["Answer", "Question", "blank_answers", "find_answers", "is_right", "parse_number"]

OPEN = "?"
TOLERANCE = 0.015  # relative: a percentage may be rounded to a whole number
_BEGIN, _END = "# PREDICT: ", "# END OF PREDICT"
_FUNCTION = re.compile(r"(?:def|fn) (\w+)\b")
_ANSWER = re.compile(r"(\s*# )(.*\S):[ \t]*(.*?)\s*")
_NUMBER = re.compile(r"(\d[\d_,]*(?:\.\d+)?|\.\d+)\s*%?")


@dataclass(frozen=True, slots=True)
class Question:
    """A number that a learner predicts.

    Attributes:
        sentence: The question as the file has it.
        answer: The number for NVIDIA, in the unit that the sentence names. A test compares it with the counted one.
        why: The explanation, shown once the answer is right.
    """

    sentence: str
    answer: float
    why: str


class Answer(NamedTuple):
    """An answer in a learner's file.

    Attributes:
        line: Its line, from 1.
        column: The column at which the answer begins, from 1.
        text: The answer.
    """

    line: int
    column: int
    text: str

    @property
    def is_open(self) -> bool:
        """True if the question is not answered yet."""
        return self.text in ("", OPEN)


def find_answers(text: str, functions: Sequence[str]) -> dict[str, Answer]:
    """Return the answers of a file in the regions of some functions, open ones too, by the sentences of their
    questions.
    """
    return {
        match[2]: Answer(at + 1, match.start(3) + 1, match[3])
        for at, function, match in _answers(text.split("\n"))
        if function in functions
    }


def blank_answers(solution: str) -> str:
    """Return the text of a file with each answer in its marked regions replaced by `?`."""
    lines = solution.split("\n")
    for at, _, match in _answers(lines):
        lines[at] = f"{match[1]}{match[2]}: {OPEN}"
    return "\n".join(lines)


def parse_number(text: str) -> float | None:
    """Return the number that an answer is (`1,024`, `1_024`, `66.7`, `66.7%` as 66.7); None for `?`, a sign, a word."""
    match = _NUMBER.fullmatch(text.strip())
    return float(match[1].replace(",", "").replace("_", "")) if match else None


def is_right(answer: float, expected: float) -> bool:
    """Return whether a predicted figure is within 1.5 % of the counted one, as rounding leaves it."""
    return abs(answer - expected) <= TOLERANCE * abs(expected)


def _answers(lines: Sequence[str]) -> Iterator[tuple[int, str, re.Match[str]]]:
    """Yield the questions in the regions of a file: the line's index, from 0, its function (empty outside of any), and
    the match, with the groups `# ` and indentation, sentence, answer.
    """
    function, inside = "", False
    for at, line in enumerate(lines):
        words = line.strip()
        if match := _FUNCTION.match(line):
            function, inside = match[1], False
        elif words.startswith(_BEGIN):
            inside = True
        elif words == _END:
            inside = False
        elif inside and (match := _ANSWER.fullmatch(line)):
            yield at, function, match
