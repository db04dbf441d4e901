"""Findings as lines for editors and scripts, each in one: `file:line:column: severity: id: text`.

The form is stable. A finding of several places, such as a race, has a line for each of them: behind the first they are
notes of the same id that end with the first one's place in brackets. So has each error of a compiler, and each of its
notes. What has no place stands where its kernel begins, or in the file's first line.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from harness.model.named import named
from harness.report.told import LEVELS, ReportedFinding, diagnostics
from harness.simt.findings import Place
from harness.simt.plain import one_line
from harness.simt.render import Renderer

__all__ = ["BEGINS", "ENDS", "PATTERN", "begin_of", "begins", "ends", "line", "of"]

# The groups are the line's parts in their order. Python's and JavaScript's regular expressions both read these.
PATTERN = r"^([^\s:].*?):(\d+):(\d+): (error|warning|note): ([\w.-]+): (.+)$"
# Around what a watch tells of one save: whatever was told before holds no longer.
BEGINS, ENDS = r"^puzzles: checking .+$", r"^puzzles: watching .+$"


def of(told: Iterable[ReportedFinding], show: Renderer, home: str = "") -> Iterator[str]:
    """The lines of findings.

    Args:
        show: Knows the language, and the lines of the files that may be shown.
        home: `file:line:column` for what has no place; unless told, its kernel in its file.
    """
    for each in told:
        finding = each.finding
        level, record = LEVELS[finding.severity], show.record(finding)
        compiler = list(diagnostics(record["items"]))
        for kind, place in compiler:
            yield line(str(_shown(place, show)), kind, finding.id, place.instruction)
        if compiler:
            continue
        text = "; ".join((record["message"], *record["items"]))
        places = dict.fromkeys(str(_shown(site, show)) for site in finding.sites if site.known)
        first, *others = places or [home or _home(each, show)]
        facts = "".join(f", {fact}" for fact in (show.doer(finding), show.times(finding)) if fact)
        remedy = f". {show.words.word('shown', 'remedy', remedy=record['remedy'])}" if record["remedy"] else ""
        yield line(first, level, finding.id, f"{text}{facts}{remedy}")
        yield from (line(other, "note", finding.id, f"{text} [{first}]") for other in others)


def line(place: str, level: str, name: str, text: str) -> str:
    """One line.

    Args:
        place: `file:line:column`.
        level: `error`, `warning` or `note`.
        name: An id.
        text: May have several lines, which become one.
    """
    return one_line(f"{place}: {level}: {name}: {' '.join(text.split())}")


def begins(what: str) -> str:
    """The line before what is told of a save."""
    return one_line(f"puzzles: checking {what}")


def ends(folder: str) -> str:
    """The line behind what is told of a save."""
    return one_line(f"puzzles: watching {folder}")


def _shown(place: Place, show: Renderer) -> Place:
    place = show.at(place)
    return Place(named(place.file), place.line, max(1, place.column), place.instruction)


def begin_of(told: ReportedFinding, show: Renderer) -> tuple[str, int]:
    """Where a finding without a place belongs: its file, and the line where its kernel begins, or the first one."""
    kernel = re.compile(rf"\s*(?:def|fn) {re.escape(told.finding.kernel)}\b") if told.finding.kernel else None
    lines = show.source(str(Path(told.file).absolute())) if kernel else ()
    number = next((at for at, text in enumerate(lines, 1) if kernel and kernel.match(text)), 1)
    return os.path.abspath(told.file), number


def _home(told: ReportedFinding, show: Renderer) -> str:
    file, number = begin_of(told, show)
    return f"{named(file)}:{number}:1"
