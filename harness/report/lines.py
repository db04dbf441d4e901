"""Findings as lines `file:line:column: severity: id: text` for editors; their patterns; where a kernel begins.

The form is stable. A finding of several locations, such as a race, has a line for each of them: after the first they
are notes of the same id that end with the first location in brackets. So has each error of a compiler, and each of its
notes. A finding without a location stands where its kernel begins, or in the file's first line.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from harness.model.named import display_name
from harness.report.told import LEVELS, ReportedFinding, parse_diagnostics
from harness.simt.findings import SourceLocation
from harness.simt.plain import one_line
from harness.simt.render import Renderer

__all__ = [
    "BEGINS",
    "ENDS",
    "PATTERN",
    "find_kernel_line",
    "format_begin",
    "format_end",
    "format_findings",
    "format_line",
]

# The groups are the line's parts in their order. Python's and JavaScript's regular expressions both read these.
PATTERN = r"^([^\s:].*?):(\d+):(\d+): (error|warning|note): ([\w.-]+): (.+)$"
# Around what a watch tells of one save: whatever was told before holds no longer.
BEGINS, ENDS = r"^puzzles: checking .+$", r"^puzzles: watching .+$"


def format_findings(reported: Iterable[ReportedFinding], show: Renderer, home: str = "") -> Iterator[str]:
    """Yield the lines of findings; of one with errors of a compiler only a line for each of those and their notes.

    Args:
        show: Knows the language, and the lines of the files that may be shown.
        home: `file:line:column` for what has no place; unless told, its kernel in its file.
    """
    for each in reported:
        finding = each.finding
        level, record = LEVELS[finding.severity], show.record(finding)
        compiler = list(parse_diagnostics(record["items"]))
        for kind, place in compiler:
            yield format_line(str(_displayed_place(place, show)), kind, finding.id, place.instruction)
        if compiler:
            continue
        text = "; ".join((record["message"], *record["items"]))
        places = dict.fromkeys(str(_displayed_place(site, show)) for site in finding.sites if site.known)
        first, *others = places or [home or _find_home(each, show)]
        facts = "".join(f", {fact}" for fact in (show.doer(finding), show.times(finding)) if fact)
        remedy = f". {show.words.word('shown', 'remedy', remedy=record['remedy'])}" if record["remedy"] else ""
        yield format_line(first, level, finding.id, f"{text}{facts}{remedy}")
        yield from (format_line(other, "note", finding.id, f"{text} [{first}]") for other in others)


def format_line(place: str, level: str, name: str, text: str) -> str:
    """Format one line.

    Args:
        place: `file:line:column`.
        level: `error`, `warning` or `note`.
        name: An id.
        text: May have several lines, which become one.
    """
    return one_line(f"{place}: {level}: {name}: {' '.join(text.split())}")


def format_begin(what: str) -> str:
    """Format the line before the findings of a save."""
    return one_line(f"puzzles: checking {what}")


def format_end(folder: str) -> str:
    """Format the line after the findings of a save."""
    return one_line(f"puzzles: watching {folder}")


def _displayed_place(place: SourceLocation, show: Renderer) -> SourceLocation:
    place = show.at(place)
    return SourceLocation(display_name(place.file), place.line, max(1, place.column), place.instruction)


def find_kernel_line(reported: ReportedFinding, show: Renderer) -> tuple[str, int]:
    """Return the absolute path of `reported.file`, and the line where the finding's kernel begins, 1 if unknown."""
    kernel = re.compile(rf"\s*(?:def|fn) {re.escape(reported.finding.kernel)}\b") if reported.finding.kernel else None
    lines = show.source(str(Path(reported.file).absolute())) if kernel else ()
    number = next((at for at, text in enumerate(lines, 1) if kernel and kernel.match(text)), 1)
    return os.path.abspath(reported.file), number


def _find_home(reported: ReportedFinding, show: Renderer) -> str:
    file, number = find_kernel_line(reported, show)
    return f"{display_name(file)}:{number}:1"
