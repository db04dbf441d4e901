"""Render the body of one person's HTML page: findings beside the source, whose lines with findings are marked."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from html import escape

from harness.grading.result import GradedMode, PersonResult
from harness.grading.submissions import SubmittedFile
from harness.grading.work import original_text
from harness.model.frames import find_changes
from harness.model.verdict import Verdict
from harness.simt.plain import printable

__all__ = ["body", "tried"]

# Bounded, since what is told may be a stranger's: no longer name is looked through, and no file has more lines.
_PLACED = re.compile(r"(?P<file>[\w.]{1,100}\.(?:mojo|py)):(?P<line>\d{1,7})\b")
_OUTSIDE = "outside the region"


def tried(mode: GradedMode) -> bool:
    """Return whether a mode was tried, or has a file."""
    return mode.result.verdict != Verdict.NOT_ATTEMPTED or bool(mode.file)


def body(person: PersonResult, language: str) -> Iterator[str]:
    """Yield a section for each puzzle of which a mode was tried or has a file: the lines of each mode, and the file
    next to them.

    Args:
        person: The person's results and files.
        language: The language of the findings.
    """
    puzzles = dict.fromkeys(mode.result.case.partition(":")[0] for mode in person.modes if tried(mode))
    for puzzle in puzzles:
        modes = [mode for mode in person.modes if mode.result.case.partition(":")[0] == puzzle]
        yield f'<section class="puzzle"><h2>{escape(puzzle)}</h2><div class="beside"><div>'
        for mode in modes:
            text = "\n".join(mode.result.lines or (f"{mode.result.case}: {mode.result.verdict}",))
            notes = "".join(f"<p>* {escape(note)}</p>" for note in (*mode.result.notes, *mode.result.unkept))
            yield f'<pre lang="{escape(language)}">{escape(text)}</pre>{notes}'
        yield "</div>"
        if file := person.files.get(puzzle):
            yield from _files(puzzle, file, modes)
        yield "</div></section>"


def _files(puzzle: str, submitted: SubmittedFile, modes: list[GradedMode]) -> Iterator[str]:
    cases_by_line: dict[tuple[str, int], list[str]] = {}
    for mode in modes:
        for line in mode.result.lines:
            for match in _PLACED.finditer(line):
                at = cases_by_line.setdefault((match["file"].rpartition(".")[2], int(match["line"])), [])
                if mode.result.case not in at:
                    at.append(mode.result.case)
    outside = _outside(puzzle, submitted.text) if any(mode.result.notes for mode in modes) else frozenset()
    yield "<div>"
    for kind, text in (("mojo", submitted.text), ("py", submitted.python)):
        if text:
            marks = {line: cases for (file, line), cases in cases_by_line.items() if file == kind}
            yield f'<pre class="code" tabindex="0" aria-label="{escape(f"{puzzle}.{kind}")}">'
            yield _source(text, marks, outside if kind == "mojo" else frozenset())
            yield "</pre>"
    yield "</div>"


def _source(text: str, marks: Mapping[int, list[str]], outside: frozenset[int]) -> str:
    """Return the lines as escaped HTML with their numbers, from 1.

    A line that is a key of `marks` is marked with the cases that have a finding there, one in `outside` as outside the
    region.
    """
    shown_lines = []
    lines = text.removesuffix("\n").split("\n")  # as Mojo counts them: other signs end a line for Python alone
    for number, line in enumerate(lines, 1):
        remarks = [*(f"✗ {case}" for case in marks.get(number, ())), *([f"* {_OUTSIDE}"] if number in outside else [])]
        note = f" <em>{escape(', '.join(remarks))}</em>" if remarks else ""
        kind = ' class="bad"' if number in marks else ' class="out"' if number in outside else ""
        text_of_line = printable(f"{number:4} {line.removesuffix(chr(13))}")
        shown_lines.append(f"<span{kind}>{escape(text_of_line)}{note}</span>")
    return "\n".join(shown_lines)


def _outside(puzzle: str, text: str) -> frozenset[int]:
    """Return the lines, from 1, that stand outside the regions and are not the original's."""
    return frozenset(change.line for change in find_changes(text, original_text(puzzle)) if change.now.strip())
