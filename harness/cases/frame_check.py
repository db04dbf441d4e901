"""Findings and the learner's file: unfilled regions (then no others), changes outside, stores, barrier remarks."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from difflib import SequenceMatcher
from itertools import islice
from pathlib import Path

from harness.model.case import Case
from harness.model.frames import Change, count_regions, find_changes, find_left_empty, find_unfilled, is_in_frame
from harness.model.messages import make_finding
from harness.model.sources import Sources, display_path
from harness.simt.findings import Finding, SourceLocation
from harness.simt.nesting import enclosing_headers

__all__ = ["add_file_causes", "add_file_remarks", "drop_frame_remarks"]

FIRST_CHANGES = 3
_IMPORT = re.compile(r"(?:from\s+\S+\s+)?import\b")


def add_file_causes(
    findings: Sequence[Finding], case: Case, sources: Sources, decided: Case | None = None
) -> tuple[Finding, ...]:
    """Return the findings of a wrong case, after those about its file.

    If a kernel is not filled in, only the file's are returned; a region left empty beside filled ones is a warning.
    At most three changes outside of the regions are named in each file, none that only adds imports. Remarks on
    barriers outside of the regions are left out; findings about results get the lines that store them. Findings about
    our own solutions are returned unchanged.

    Args:
        findings: The findings of the case.
        case: The case.
        sources: The learner's files.
        decided: The case at the size, or with the functions, that the findings are of; None for `case` itself.
    """
    if sources.are_solutions(case):
        return tuple(findings)
    open_, changed = [], []
    for path, functions, handed_out in sources.learner_files(case):
        text = path.read_text(encoding="utf-8")
        lines = text.split("\n")
        first = islice(
            (change for change in find_changes(text, handed_out) if not _only_adds_imports(change)), FIRST_CHANGES
        )
        changed += [_make_change_finding(change, _place(path, change.line, lines), lines) for change in first]
        if line := find_unfilled(text, functions, handed_out):
            open_.append(make_finding("frame.unfilled", case=case.id, place=_place(path, line, lines)))
        elif line := find_left_empty(text, functions, handed_out):
            changed.append(make_finding("frame.left", "warning", case=case.id, place=_place(path, line, lines)))
    if open_:
        return (*open_, *changed)
    path = sources.kernel_file(case)
    lines = path.read_text(encoding="utf-8").split("\n")
    remaining = drop_frame_remarks(findings, case, sources)
    return (*changed, *(_add_sites(finding, decided or case, path, lines) for finding in remaining))


def add_file_remarks(findings: Sequence[Finding], case: Case, sources: Sources) -> tuple[Finding, ...]:
    """Return the findings of a right case, without remarks on barriers that were handed out, followed by information
    for each file that is changed outside of its regions or has lost their marks. Those about our own solutions are
    returned unchanged.
    """
    result = list(drop_frame_remarks(findings, case, sources))
    for path, _, handed_out in () if sources.are_solutions(case) else sources.learner_files(case):
        text = path.read_text(encoding="utf-8")
        if count_regions(text) != count_regions(handed_out):
            result.append(make_finding("frame.unmarked", "information", file=display_path(path)))
        elif outside := list(find_changes(text, handed_out)):
            place = _place(path, outside[0].line, text.split("\n"))
            result.append(make_finding("frame.outside", "information", count=len(outside), place=place))
    return tuple(result)


def drop_frame_remarks(findings: Sequence[Finding], case: Case, sources: Sources) -> tuple[Finding, ...]:
    """Return the findings without remarks on barriers outside of the learner's regions; our own solutions keep all."""
    result = tuple(findings)
    for path, _, handed_out in () if sources.are_solutions(case) else sources.learner_files(case):
        text = path.read_text(encoding="utf-8")
        result = tuple(finding for finding in result if not _is_about_frame(finding, path, text, handed_out))
    return result


def _place(path: Path, line: int, lines: Sequence[str]) -> str:
    """Return `file:line:column` of a line's first character that is no blank, with the file's name as reports show it.

    The column is 1 if there is no such line.
    """
    content = lines[line - 1] if line <= len(lines) else ""
    return f"{display_path(path)}:{line}:{len(content) - len(content.lstrip()) + 1}"


def _add_sites(finding: Finding, case: Case, path: Path, lines: Sequence[str]) -> Finding:
    """Return a finding about a result with the first three lines that store it, or else its kernel's line; others are
    unchanged, and so is one with sites.
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


def _is_about_frame(finding: Finding, path: Path, text: str, handed_out: str) -> bool:
    """Return True if a finding calls a barrier redundant whose first site is in this file, outside the learner's
    regions; if the puzzle has no regions, on a line that the learner has not changed.
    """
    if finding.kind != "redundant-barrier":
        return False
    lines = [place.line for place in finding.sites[:1] if place.file == display_path(path)]
    if lines and not count_regions(handed_out):
        blocks = SequenceMatcher(None, handed_out.split("\n"), text.split("\n")).get_matching_blocks()
        return any(block.b < lines[0] <= block.b + block.size for block in blocks)
    return any(is_in_frame(text, line) for line in lines)


def _only_adds_imports(change: Change) -> bool:
    """Return True if a changed or new line is an import that keeps all words of the former one: no cause of a fault."""
    was, now = (set(re.findall(r"\w+", line)) for line in (change.was, change.now))
    return bool(_IMPORT.match(change.now)) and was <= now


def _make_change_finding(change: Change, place: str, lines: Sequence[str]) -> Finding:
    if change.now == change.was:  # but for its indentation
        if headers := enclosing_headers(lines, change.line)[:1]:
            word, line = headers[0].word, headers[0].line
            return make_finding("frame.moved.inside", "warning", place=place, now=change.now, opener=word, opened=line)
        return make_finding("frame.moved.outside", "warning", place=place, now=change.now)
    if not change.was:
        return make_finding("frame.added", "warning", place=place, now=change.now)
    if not change.now:
        return make_finding("frame.removed", "warning", place=place, was=change.was)
    return make_finding("frame.changed", "warning", place=place, now=change.now, was=change.was)
