"""Render findings and results of launches as text and JSON, for all commands, with names and lines of the source.

The text has the shape that users of compute-sanitizer know, with the source line,
the argument's name and the threads in place of raw addresses.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from harness.simt.excerpt import Excerpts, captured_name, caret, character_column, indexed_name, local_name, shared_name
from harness.simt.findings import (
    ARRAY,
    ATOMIC_ORDERING,
    SEVERITIES,
    Finding,
    LaunchVerdict,
    SourceLocation,
    Who,
    failing,
)
from harness.simt.messages import Words, words
from harness.simt.placed_remedies import with_placed_remedy
from harness.simt.plain import plain, printable

__all__ = ["MARK", "PAIRED", "SCHEMA_VERSION", "Renderer", "as_dict", "notes", "text"]

SCHEMA_VERSION = 1
MARK = "========="
SHOWN = 4
# Findings whose lanes come in pairs, one of each site.
PAIRED = ("race", "several-writers")
_SITES = {"missed-barrier": ("site-waiting", "site-ended")}  # of kinds whose sites are not alike
_NUMBERED = re.compile(r"shared array (\d+)")
_HANGUL = re.compile("[가-힣]")  # such a sentence begins with a small letter only where a name does
_TARGET = re.compile(r"\s*(\([^=]*?\)|[\w.]+)\[.*?\]\s*[-+*/]?=(?!=)")  # what a statement stores to, by index
_PLACED = re.compile(r"local variable at (.+):(\d+)")


@dataclass(frozen=True, slots=True)
class Renderer:
    """Renders findings.

    Attributes:
        source: Returns the lines of a file, by the name in source locations; none if the file is unknown.
        words: The language.
        detail: Whether to show instructions and inlined frames even if there is a source line.
        named: Returns the name of a file as it is shown.
    """

    source: Callable[[str], Sequence[str]] = field(default_factory=Excerpts)
    words: Words = field(default_factory=words)
    detail: bool = True
    named: Callable[[str], str] = str

    def block(self, finding: Finding) -> list[str]:
        """Return the lines of a finding: a heading, what happened, where, which threads, and a remedy."""
        return [printable(line) for line in self._block(self.with_names(finding))]

    def heading(self, finding: Finding) -> str:
        """Return the severity, the title and the id of a finding."""
        return self._word("heading", severity=finding.severity, title=self.words.title(finding), id=finding.id)

    def fails_by_option(self, findings: Sequence[Finding], fail_on: str, usual: str) -> str:
        """Return a sentence on why a verdict fails that would pass by default; empty if it passes or fails by default.

        Args:
            findings: All of the run.
            fail_on: The least severity that fails.
            usual: The same by default.
        """
        counted = failing(findings, fail_on)
        if not counted or failing(findings, usual):
            return ""
        return self._word("fail-on", fail_on=fail_on, count=len(counted))

    def line(self, finding: Finding) -> str:
        """Return a finding in one line, for tables: what, where, the first thread that did it, and how often."""
        finding = self.with_names(finding)
        clauses = ["; ".join((self.words.text(finding), *self.words.items(finding)))]
        if places := [self._location_text(place) for place in finding.sites if place.known]:
            clauses.append(self._word("at", places=self._word("and").join(places)))
        if doer := self.doer(finding):
            clauses.append(doer)
        times = f" ({often})" if (often := self.times(finding)) else ""
        return printable((self._word("clause").join(clauses) + times).replace("\n", " "))

    def record(self, finding: Finding) -> dict[str, Any]:
        """Return a finding for JSON: its texts, and the values that they are made from.

        `argument` is the finding's own, `variable` the source's name for it; sites have their source line, or None.
        """
        named_finding = self.with_names(finding)
        return {
            "id": finding.id,
            "kind": finding.kind,
            "severity": finding.severity,
            "title": self.words.title(named_finding),
            "message": self.words.text(named_finding),
            "items": list(self.words.items(named_finding)),
            "remedy": self.words.remedy(named_finding),
            "kernel": finding.kernel,
            "sites": [self._site_record(place) for place in finding.sites],
            "who": plain(finding.who),
            "argument": finding.argument,
            "variable": named_finding.argument,
            "offset": finding.offset,
            "size": finding.size,
            "values": plain(finding.values),
            "count": finding.count,
        }

    def at(self, place: SourceLocation) -> SourceLocation:
        """Return a source location with its column in characters, as it is shown."""
        return replace(place, column=character_column(self.source(place.file), place.line, place.column))

    def _site_record(self, place: SourceLocation) -> dict[str, Any]:
        lines = self.source(place.file)
        source = lines[place.line - 1] if 0 < place.line <= len(lines) else None
        return {**plain(self.at(place)), "source": source}

    def _location_text(self, place: SourceLocation) -> str:
        place = self.at(place)
        return f"{self.named(place.file)}:{place.line}:{place.column}"

    def _block(self, finding: Finding) -> Iterator[str]:
        yield self.heading(finding)
        yield f"    {_capitalise(self.words.text(finding), finding)}."
        for item in self.words.items(finding):
            yield f"      {item}"
        paired = finding.kind in PAIRED
        for number, place in enumerate(finding.sites):
            role = ("first", "second")[number] if "second" in finding.values and number < 2 else ""
            yield from self._site_lines(place, finding, role, number)
        who = [self._lane_text(lane) for lane in finding.who]
        if paired:
            pairs = zip(who[::2], who[1::2], strict=False)
            who = [self._word("pair", first=first, second=other) for first, other in pairs][1:]
        who = list(dict.fromkeys(who))[: SHOWN if finding.severity != "information" else 1]
        for lane in who:
            yield f"    {self._word('also' if paired else 'by', lane=lane)}"
        more = finding.count - len(who) - paired
        if who and more > 0:
            yield f"    {self._word('more', more=more)}"
        for what, value in finding.values.get("also", {}).items():
            yield f"    {self._word(f'also-{what}', **{what: value})}"
        if "seed" in finding.values and finding.sites:
            yield f"    {self._word('order', seed=finding.values['seed'])}"
        if remedy := self.words.remedy(finding):
            yield f"    {self._word('remedy', remedy=remedy)}"

    def _word(self, part: str, **parameters: Any) -> str:
        return self.words.word("shown", part, **parameters)

    def doer(self, finding: Finding) -> str:
        """Return the first thread, such as `by thread (0,0,0) in block (0,0,0)`; empty if none is known."""
        return self._word("by", lane=self._lane_text(finding.who[0])) if finding.who else ""

    def times(self, finding: Finding) -> str:
        """Return how often it happened, such as `3 times`; empty for once, or if the finding has no site."""
        return self._word("times", count=finding.count) if finding.sites and finding.count > 1 else ""

    def _lane_text(self, who: Who) -> str:
        block, thread = (",".join(map(str, place)) for place in (who.block, who.thread))
        return self._word("lane", block=block, thread=thread, warp=who.warp, number=who.lane)

    def _site_lines(self, place: SourceLocation, finding: Finding, role: str, number: int) -> Iterator[str]:
        """Yield the lines for one site: its location, the source line or else the instruction, and a pair's lane.

        With `detail`, also inlined calls and the instruction. `role` is `first`, `second` (keys of values) or empty.
        """
        form = "site-role" if role else _SITES.get(finding.kind, ("site", "site-more"))[number > 0]
        paired = finding.kind in PAIRED and number < min(2, len(finding.who))
        fields = {
            "role": finding.values[role] if role else "",
            "place": self._location_text(place) if place.known else self._word("nowhere"),
            "inside": self._word("inside", function=place.function) if place.known and place.function else "",
            "doer": self._word("doer", lane=self._lane_text(finding.who[number])) if paired else "",
        }
        yield f"    {self._word(form, **fields)}"
        if not place.known:
            yield f"        {place.instruction}"
            return
        for line in caret(self.source(place.file), place.line, self.at(place).column):
            yield f"    {line}"
        if self.detail:
            for frame in place.frames:
                if frame != str(place):
                    yield f"        in {frame}"
            yield f"        {place.instruction}"

    def with_names(self, finding: Finding) -> Finding:
        """Return the finding with names from the source for arrays and captured variables, and with a placed remedy.

        The names replace equal texts in `values` too. Sites of stores get the column of the index before `=`.
        """
        if finding.kind == "out-of-shape" and finding.argument == ARRAY:
            place = finding.sites[0]
            finding = replace(
                finding, argument=indexed_name(self.source(place.file), place.line, self.at(place).column)
            )
        if finding.values.get("instead") == "given" and finding.sites:
            place = finding.sites[0]
            if name := captured_name(self.source(place.file), place.line, self.at(place).column):
                finding = replace(finding, values=finding.values | {"instead": f"captured {name}"})
        if any(site.known for site in finding.sites):
            finding = replace(finding, sites=tuple(self._at_target(finding, at) for at in range(len(finding.sites))))
        finding = with_placed_remedy(finding, self.source)
        for text in (finding.argument, finding.values.get("source")):
            if isinstance(text, str) and (name := self._source_name(text, finding)):
                values = {key: name if value == text else value for key, value in finding.values.items()}
                finding = replace(
                    finding, argument=name if finding.argument == text else finding.argument, values=values
                )
        return finding

    def _at_target(self, finding: Finding, number: int) -> SourceLocation:
        """Return a site of a finding; for a store, with the column of the index before `=`, if the line is ASCII."""
        place, values = finding.sites[number], finding.values
        if number < 2 and "second" in values:
            kind = values[("first", "second")[number]]
        else:
            kind = values.get("access") if number == 0 else None
        lines = self.source(place.file)
        if kind != "store" or not 0 < place.line <= len(lines):
            return place
        target = _TARGET.match(lines[place.line - 1])
        if target is None or not lines[place.line - 1].isascii() or place.column <= target.end():
            return place
        return replace(place, column=target.end(1) + 1)

    def _source_name(self, text: str, finding: Finding) -> str | None:
        """Return the source's name for `shared array N`, None if uncertain, or for `local variable at FILE:LINE`.

        A local variable without a name is the same text with the file as shown. Any other text gives None.
        """
        if match := _NUMBERED.fullmatch(text):
            lines = ((file, line) for place in finding.sites if place.known for file, line in place.lines)
            names = (shared_name(self.source(file), line, int(match[1])) for file, line in lines)
            return next(filter(None, names), None)
        if match := _PLACED.fullmatch(text):
            file, line = match[1], int(match[2])
            return local_name(self.source(file), line) or f"local variable at {self.named(file)}:{line}"
        return None


def _capitalise(message: str, finding: Finding) -> str:
    """Capitalise a sentence, unless it is Korean, or begins with an argument or with what is no plain word."""
    first = message.partition(" ")[0].rstrip(":,;")
    begins_with_name = (
        not first.isalpha() or _HANGUL.search(message) or first in (finding.argument, finding.values.get("argument"))
    )
    return message if begins_with_name else message[:1].upper() + message[1:]


def text(result: Any, renderer: Renderer | None = None, *, least: str = SEVERITIES[-1]) -> str:
    """Return the findings of a `LaunchResult` and a summary as text, each line after `MARK`.

    Notes are shown only with all severities; an incomplete result has the reason at the end.

    Args:
        renderer: Renders them; if None, with the lines of files below the current folder.
        least: The least severity to show; the summary counts all of them.
    """
    renderer = renderer or Renderer(Excerpts(Path.cwd()))
    severities = SEVERITIES[: SEVERITIES.index(least) + 1]
    lines = []
    for finding in (each for each in result.findings if each.severity in severities):
        lines += [f"{MARK} {line}".rstrip() for line in renderer.block(finding)]
        lines.append(MARK)
    if least == SEVERITIES[-1]:
        lines += [f"{MARK} {renderer.heading(note)}: {renderer.words.text(note)}." for note in notes(result)]
    counts = _summary(result.findings)
    hazards = sum(finding.count for finding in result.findings if finding.severity == "error")
    numbers = {"errors": counts["error"], "warnings": counts["warning"], "information": counts["information"]}
    lines.append(f"{MARK} {renderer.words.word('shown', 'summary', hazards=hazards, **numbers)}")
    if result.verdict == LaunchVerdict.INCOMPLETE:
        fault = getattr(result.fault, "finding", None)
        reason = renderer.line(fault) if fault else str(result.fault)
        lines.append(printable(f"{MARK} {renderer.words.word('shown', 'incomplete', reason=reason)}"))
    return "\n".join(lines) + "\n"


def notes(result: Any) -> tuple[Finding, ...]:
    """Return notes about a whole `LaunchResult`: findings of severity `information` without a location.

    At most one: `unknown-producer`, if the order of atomics was assumed.
    """
    assumed = ATOMIC_ORDERING in result.fidelity
    return (Finding("unknown-producer", "information", result.kernel),) if assumed else ()


def _summary(findings: Sequence[Finding]) -> dict[str, int]:
    return {
        severity: sum(finding.severity == severity for finding in findings)
        for severity in ("error", "warning", "information")
    }


def as_dict(result: Any, renderer: Renderer | None = None) -> dict[str, Any]:
    """Return the verdict, fault, findings, notes, counters, fidelity and orders of a `LaunchResult` for JSON, without
    NaN and infinities; source lines are as in `text` if `renderer` is None.
    """
    renderer = renderer or Renderer(Excerpts(Path.cwd()))
    return {
        "schema_version": SCHEMA_VERSION,
        "kernel": result.kernel,
        "verdict": result.verdict,
        "fault": None if result.fault is None else str(result.fault),
        "summary": _summary(result.findings),
        "findings": [renderer.record(finding) for finding in result.findings],
        "notes": [renderer.record(note) for note in notes(result)],
        "counters": plain(dict(result.counters)),
        "fidelity": plain(dict(result.fidelity)),
        "orders": {"ran": result.orders, "why_no_more": result.why_no_more},
    }
