"""What is to be told of a file beside its checks: a region that nobody filled in, and a frame that was changed."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import islice
from pathlib import Path

from harness.model.case import Case
from harness.model.frames import Change, count_regions, find_changes, find_left_empty, find_unfilled, is_in_frame
from harness.model.messages import make_finding
from harness.model.sources import Sources, display_path
from harness.simt.findings import Finding, SourceLocation

__all__ = ["behind", "in_front_of", "without_frame"]

FIRST_CHANGES = 3
_IMPORT = re.compile(r"(?:from\s+\S+\s+)?import\b")


def in_front_of(
    findings: Sequence[Finding], case: Case, sources: Sources, decided: Case | None = None
) -> tuple[Finding, ...]:
    """The findings of a kernel that is not right, behind what is to be told first.

    Of a kernel that is not filled in nothing else is worth telling.

    Args:
        findings: Of the case.
        case: Which.
        sources: Whose file.
        decided: The case at the size, or of the functions, that the findings are of; the same unless told.
    """
    if sources.are_solutions(case):
        return tuple(findings)
    open_, changed = [], []
    for path, functions, handed_out in sources.learner_files(case):
        text = path.read_text(encoding="utf-8")
        lines = text.split("\n")
        first = islice((change for change in find_changes(text, handed_out) if not _imports(change)), FIRST_CHANGES)
        changed += [_changed(change, _place(path, change.line, lines)) for change in first]
        if line := find_unfilled(text, functions, handed_out):
            open_.append(make_finding("frame.unfilled", case=case.id, place=_place(path, line, lines)))
        elif line := find_left_empty(text, functions, handed_out):
            changed.append(make_finding("frame.left", "warning", case=case.id, place=_place(path, line, lines)))
    if open_:
        return (*open_, *changed)
    path = sources.kernel_file(case)
    lines = path.read_text(encoding="utf-8").split("\n")
    told = without_frame(findings, case, sources)
    return (*changed, *(_located(finding, decided or case, path, lines) for finding in told))


def behind(findings: Sequence[Finding], case: Case, sources: Sources) -> tuple[Finding, ...]:
    """The findings of a kernel that is right, with what stands outside of its region: it counts, and is told."""
    told = list(without_frame(findings, case, sources))
    for path, _, handed_out in () if sources.are_solutions(case) else sources.learner_files(case):
        text = path.read_text(encoding="utf-8")
        if count_regions(text) != count_regions(handed_out):
            told.append(make_finding("frame.unmarked", "information", file=display_path(path)))
        elif outside := list(find_changes(text, handed_out)):
            place = _place(path, outside[0].line, text.split("\n"))
            told.append(make_finding("frame.outside", "information", count=len(outside), place=place))
    return tuple(told)


def without_frame(findings: Sequence[Finding], case: Case, sources: Sources) -> tuple[Finding, ...]:
    """The findings without remarks on a barrier that was handed out: a learner is to leave it where it is."""
    told = tuple(findings)
    for path, _, _ in () if sources.are_solutions(case) else sources.learner_files(case):
        text = path.read_text(encoding="utf-8")
        told = tuple(finding for finding in told if not _of_the_frame(finding, path, text))
    return told


def _place(path: Path, line: int, lines: Sequence[str]) -> str:
    """`file:line:column` of where a line begins, as terminals and editors follow it."""
    held = lines[line - 1] if line <= len(lines) else ""
    return f"{display_path(path)}:{line}:{len(held) - len(held.lstrip()) + 1}"


def _located(finding: Finding, case: Case, path: Path, lines: Sequence[str]) -> Finding:
    """The same finding; one about a result that says no place gets those where the kernel stores that result,
    or that of the kernel.
    """
    if finding.kind != "check" or finding.argument is None or finding.sites:
        return finding
    begin = re.compile(rf"(?:def|fn|struct) ({'|'.join(case.functions)})\b")
    # At the beginning of a statement: a sentence of the docstring may write the same.
    store = re.compile(rf"(?:^|[:;])\s*({re.escape(finding.argument)})(?:\[.*\]\s*[-+*/]?=(?!=)|\.store\b)")
    begins = [number for number, line in enumerate(lines, 1) if begin.match(line)]
    sites, inside = [], None
    for number, line in enumerate(lines, 1):
        if re.match(r"(?:def|fn|struct) ", line):
            inside = begin.match(line)
        if inside and (match := store.search(line.partition("#")[0])):
            sites.append(SourceLocation(display_path(path), number, match.start(1) + 1, "", function=inside[1]))
    places = sites[:FIRST_CHANGES] or [SourceLocation(display_path(path), number, 1, "") for number in begins[:1]]
    return replace(finding, sites=tuple(places))


def _of_the_frame(finding: Finding, path: Path, text: str) -> bool:
    """Whether a finding calls a barrier redundant that lies in no region."""
    if finding.kind != "redundant-barrier":
        return False
    return any(place.file == display_path(path) and is_in_frame(text, place.line) for place in finding.sites[:1])


def _imports(change: Change) -> bool:
    """Whether a line only imports more than before, which many a right way takes, and which is no cause of a fault."""
    was, now = (set(re.findall(r"\w+", line)) for line in (change.was, change.now))
    return bool(_IMPORT.match(change.now)) and was <= now


def _changed(change: Change, place: str) -> Finding:
    if not change.was:
        return make_finding("frame.added", "warning", place=place, now=change.now)
    if not change.now:
        return make_finding("frame.removed", "warning", place=place, was=change.was)
    return make_finding("frame.changed", "warning", place=place, now=change.now, was=change.was)
