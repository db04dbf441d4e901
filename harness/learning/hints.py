"""Parse the hints of a lesson by case, select the next one, and find a puzzle's lesson in a language.

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

__all__ = ["Hint", "hints_of", "lesson_path", "next_hint", "parse_hints"]

_HINTS = re.compile(r"<!-- hints: (?P<case>\S+) -->\n(?P<body>.*?)<!-- hints end -->", re.DOTALL)
_HINT = re.compile(r"<details><summary>(?P<title>[^\n]*)</summary>\n(?P<text>.*?)\n</details>", re.DOTALL)


class Hint(NamedTuple):
    """One step of help: a few words, and Markdown."""

    title: str
    text: str


def lesson_path(puzzle: str, language: str) -> Path | None:
    """Return the path of a puzzle's lesson in a language, or else in English; None if it has no lesson in English."""
    english = MOJO / puzzle / "README.md"
    translated = english.with_suffix(f".{language}.md")
    return None if not english.is_file() else translated if translated.is_file() else english


def hints_of(case: Case, language: str) -> tuple[Hint, ...]:
    """Return the hints of a case, the most general first; empty if there is no lesson or none of its hints is for the
    case.
    """
    path = lesson_path(case.puzzle, language)
    return parse_hints(path.read_text(encoding="utf-8")).get(case.id, ()) if path else ()


def next_hint(case: Case, language: str, seen_count: int) -> tuple[int, int, Hint]:
    """Return the hint after the `seen_count` first ones, or the last one again; the learner's progress is not changed.

    Returns:
        The hint's number, from 1; how many there are; the hint.

    Raises:
        UsageError: The case has no hints.
    """
    available = hints_of(case, language)
    if not available:
        before = PLACES[case.puzzle].builds_on
        raise UsageError(say("learn.no-hints-builds" if before else "learn.no-hints", case=case.id, puzzles=before))
    number = min(seen_count + 1, len(available))
    return number, len(available), available[number - 1]


def parse_hints(text: str) -> dict[str, tuple[Hint, ...]]:
    """Parse the hints in a lesson's text, by case id."""
    return {section["case"]: tuple(_parse_section(section["body"])) for section in _HINTS.finditer(text)}


def _parse_section(body: str) -> Iterator[Hint]:
    for match in _HINT.finditer(body):
        yield Hint(match["title"].strip(), match["text"].strip())
