"""What one person handed in, as a page of its own: beside each verdict the source, with what was found at its lines."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from html import escape

from harness.grading.result import Graded, PersonResult
from harness.grading.submissions import Handed
from harness.grading.work import handed_out
from harness.model.frames import changes
from harness.model.verdict import Verdict
from harness.simt.plain import printable

__all__ = ["body", "tried"]

# Bounded, since what is told may be a stranger's: no longer name is looked through, and no file has more lines.
_PLACED = re.compile(r"(?P<file>[\w.]{1,100}\.(?:mojo|py)):(?P<line>\d{1,7})\b")
_OUTSIDE = "outside the region"


def tried(mode: Graded) -> bool:
    """Whether there is something to say of a mode."""
    return mode.result.verdict != Verdict.NOT_ATTEMPTED or bool(mode.file)


def body(person: PersonResult, language: str) -> Iterator[str]:
    """The puzzles that somebody tried: what was told of each mode, and beside it the file.

    Args:
        person: Whose.
        language: In which it was told.
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
        if handed := person.files.get(puzzle):
            yield from _files(puzzle, handed, modes)
        yield "</div></section>"


def _files(puzzle: str, handed: Handed, modes: list[Graded]) -> Iterator[str]:
    told: dict[tuple[str, int], list[str]] = {}
    for mode in modes:
        for line in mode.result.lines:
            for found in _PLACED.finditer(line):
                at = told.setdefault((found["file"].rpartition(".")[2], int(found["line"])), [])
                if mode.result.case not in at:
                    at.append(mode.result.case)
    outside = _outside(puzzle, handed.text) if any(mode.result.notes for mode in modes) else frozenset()
    yield "<div>"
    for kind, text in (("mojo", handed.text), ("py", handed.python)):
        if text:
            marks = {line: cases for (file, line), cases in told.items() if file == kind}
            yield f'<pre class="code" tabindex="0" aria-label="{escape(f"{puzzle}.{kind}")}">'
            yield _source(text, marks, outside if kind == "mojo" else frozenset())
            yield "</pre>"
    yield "</div>"


def _source(text: str, marks: Mapping[int, list[str]], outside: frozenset[int]) -> str:
    """The lines with their numbers; those with a finding, or outside of the region, say so."""
    rows = []
    lines = text.removesuffix("\n").split("\n")  # as Mojo counts them: other signs end a line for Python alone
    for number, line in enumerate(lines, 1):
        said = [*(f"✗ {case}" for case in marks.get(number, ())), *([f"* {_OUTSIDE}"] if number in outside else [])]
        note = f" <em>{escape(', '.join(said))}</em>" if said else ""
        kind = ' class="bad"' if number in marks else ' class="out"' if number in outside else ""
        shown = printable(f"{number:4} {line.removesuffix(chr(13))}")
        rows.append(f"<span{kind}>{escape(shown)}{note}</span>")
    return "\n".join(rows)


def _outside(puzzle: str, text: str) -> frozenset[int]:
    """The lines, from 1, that stand outside of the regions and were not handed out."""
    return frozenset(change.line for change in changes(text, handed_out(puzzle)) if change.now.strip())
