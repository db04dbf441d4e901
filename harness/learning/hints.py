"""Hints, out of the lessons: one source for the page and for the command.

In a lesson the hints of a case stand between `<!-- hints: p15 -->` and `<!-- hints end -->`, each as

    <details><summary>A few words</summary>

    The hint, as Markdown.

    </details>
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from harness.catalogue import PLACES
from harness.errors import UsageError
from harness.learning.messages import say
from harness.model.case import Case
from harness.model.sources import MOJO

__all__ = ["Hint", "hints", "hints_in", "lesson", "step"]

_HINTS = re.compile(r"<!-- hints: (?P<case>\S+) -->\n(?P<body>.*?)<!-- hints end -->", re.DOTALL)
_HINT = re.compile(r"<details><summary>(?P<title>[^\n]*)</summary>\n(?P<text>.*?)\n</details>", re.DOTALL)


class Hint(NamedTuple):
    """One step of help: a few words, and Markdown."""

    title: str
    text: str


def lesson(puzzle: str, language: str) -> Path | None:
    """The lesson of a puzzle in a language, else in English; None where there is none, be there a title of it."""
    english = MOJO / puzzle / "README.md"
    own = english.with_suffix(f".{language}.md")
    return None if not english.is_file() else own if own.is_file() else english


def hints(case: Case, language: str) -> tuple[Hint, ...]:
    """The hints of a case, the most general first; none where its lesson has none."""
    path = lesson(case.puzzle, language)
    return hints_in(path.read_text(encoding="utf-8")).get(case.id, ()) if path else ()


def step(case: Case, language: str, seen: int) -> tuple[int, int, Hint]:
    """The hint behind those that were seen, or the last one again: its number, from 1, of how many, and the hint.

    Raises:
        UsageError: The case has none.
    """
    known = hints(case, language)
    if not known:
        before = PLACES[case.puzzle].builds_on
        raise UsageError(say("learn.no-hints-builds" if before else "learn.no-hints", case=case.id, puzzles=before))
    number = min(seen + 1, len(known))
    return number, len(known), known[number - 1]


def hints_in(text: str) -> dict[str, tuple[Hint, ...]]:
    """The hints of a lesson, by case."""
    return {part["case"]: tuple(_steps(part["body"])) for part in _HINTS.finditer(text)}


def _steps(body: str) -> Iterator[Hint]:
    for step in _HINT.finditer(body):
        yield Hint(step["title"].strip(), step["text"].strip())
