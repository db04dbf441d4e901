"""What the catalogue says in other languages: what is missing, and what nothing says any more."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from harness.catalogue import KNOWN, PARTS, PLACES, PUZZLES
from harness.catalogue.translations import read_translations, translatable_texts
from harness.model.case import Case
from harness.model.sources import MOJO, display_path
from harness.simt.messages import LANGUAGES

__all__ = ["missing", "stale"]


def missing(cases: Sequence[Case] = KNOWN, folder: Path = MOJO) -> Iterator[str]:
    """A line for each puzzle and language in which some of its texts are said in English."""
    for language in LANGUAGES[1:]:
        there = {english for _, english, _ in read_translations(language, folder)}
        for puzzle in PUZZLES:
            texts = dict.fromkeys(
                text for case in cases if case.puzzle == puzzle for _, text in translatable_texts(case)
            )
            texts |= {PLACES[puzzle].part: None} if texts else {}
            if english := [text for text in texts if text not in there]:
                yield f"said in English, {folder.name}/{puzzle}/README.{language}.md lacks it: {'; '.join(english)}"


def stale(cases: Sequence[Case] = KNOWN, folder: Path = MOJO) -> Iterator[str]:
    """A sentence for each translation of what nothing says."""
    said = {text for case in cases for _, text in translatable_texts(case)} | PARTS.keys()
    for language in LANGUAGES[1:]:
        for path, english, _ in read_translations(language, folder):
            if english not in said:
                yield f"{display_path(path)}: no case says {english!r}. Take it away, or write what is said now."
