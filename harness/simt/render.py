"""Findings as text and as JSON: the one form in which every command shows them.

The text has the shape that users of compute-sanitizer know, with the source line,
the argument's name and the threads in place of raw addresses.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from harness.simt.excerpt import Excerpts, captured_name, caret, in_characters, indexed_name, local_name, shared_name
from harness.simt.findings import ARRAY, ATOMIC_ORDERING, SEVERITIES, Finding, LaunchVerdict, Place, Who, failing
from harness.simt.messages import Words, words
from harness.simt.placed_remedies import with_placed_remedy
from harness.simt.plain import plain, printable

__all__ = ["MARK", "PAIRED", "SCHEMA_VERSION", "Renderer", "as_dict", "notes", "text"]

SCHEMA_VERSION = 1
MARK = "========="
SHOWN = 4
# Findings whose lanes come in pairs, one of each site.
PAIRED = ("race", "several-writers")
_NUMBERED = re.compile(r"shared array (\d+)")
_HANGUL = re.compile("[가-힣]")  # such a sentence begins with a small letter only where a name does
_TARGET = re.compile(r"\s*([\w.]+)\[.*?\]\s*[-+*/]?=(?!=)")  # what a statement stores to, by index
_PLACED = re.compile(r"local variable at (.+):(\d+)")


@dataclass(frozen=True, slots=True)
class Renderer:
    """Shows findings.

    Attributes:
        source: The lines of a file, by the name that places have it by; none where it is not known.
        words: The language.
        detail: Whether to show instructions and the frames that a call was inlined
            through also where there is a source line.
        named: A file as it is to be shown.
    """

    source: Callable[[str], Sequence[str]] = field(default_factory=Excerpts)
    words: Words = field(default_factory=words)
    detail: bool = True
    named: Callable[[str], str] = str

    def block(self, finding: Finding) -> list[str]:
        """A heading, what happened, where, who, and what to do."""
        return [printable(line) for line in self._block(self.with_names(finding))]

    def heading(self, finding: Finding) -> str:
        """Return the severity, the title and the id of a finding."""
        return self._shown("heading", severity=finding.severity, title=self.words.title(finding), id=finding.id)

    def fails_by_option(self, findings: Sequence[Finding], fail_on: str, usual: str) -> str:
        """Return why a verdict fails that would not fail by default, in a sentence; empty where it would, or passes.

        Args:
            findings: All of the run.
            fail_on: The least severity that fails.
            usual: The same by default.
        """
        counted = failing(findings, fail_on)
        if not counted or failing(findings, usual):
            return ""
        return self._shown("fail-on", fail_on=fail_on, count=len(counted))

    def line(self, finding: Finding) -> str:
        """All in one line, for tables: what, where, and the first lane that did it."""
        finding = self.with_names(finding)
        parts = ["; ".join((self.words.text(finding), *self.words.items(finding)))]
        if places := [self._place(place) for place in finding.sites if place.known]:
            parts.append(self._shown("at", places=self._shown("and").join(places)))
        if doer := self.doer(finding):
            parts.append(doer)
        times = f" ({often})" if (often := self.times(finding)) else ""
        return printable((", ".join(parts) + times).replace("\n", " "))

    def record(self, finding: Finding) -> dict[str, Any]:
        """For JSON: the text, and all that it is made from."""
        shown = self.with_names(finding)
        return {
            "id": finding.id,
            "kind": finding.kind,
            "severity": finding.severity,
            "title": self.words.title(shown),
            "message": self.words.text(shown),
            "items": list(self.words.items(shown)),
            "remedy": self.words.remedy(shown),
            "kernel": finding.kernel,
            "sites": [self._site(place) for place in finding.sites],
            "who": plain(finding.who),
            "argument": finding.argument,
            "variable": shown.argument,
            "offset": finding.offset,
            "size": finding.size,
            "values": plain(finding.values),
            "count": finding.count,
        }

    def at(self, place: Place) -> Place:
        """A place with its column in characters, as it is shown."""
        return replace(place, column=in_characters(self.source(place.file), place.line, place.column))

    def _site(self, place: Place) -> dict[str, Any]:
        lines = self.source(place.file)
        source = lines[place.line - 1] if 0 < place.line <= len(lines) else None
        return {**plain(self.at(place)), "source": source}

    def _place(self, place: Place) -> str:
        place = self.at(place)
        return f"{self.named(place.file)}:{place.line}:{place.column}"

    def _block(self, finding: Finding) -> Iterator[str]:
        yield self.heading(finding)
        yield f"    {_sentence(self.words.text(finding), finding)}."
        for item in self.words.items(finding):
            yield f"      {item}"
        paired = finding.kind in PAIRED
        for number, place in enumerate(finding.sites):
            role = ("first", "second")[number] if "second" in finding.values and number < 2 else ""
            yield from self._where(place, finding, role, number)
        who = [self._lane(lane) for lane in finding.who]
        if paired:
            pairs = zip(who[::2], who[1::2], strict=False)
            who = [self._shown("pair", first=first, second=other) for first, other in pairs][1:]
        who = list(dict.fromkeys(who))[: SHOWN if finding.severity != "information" else 1]
        for lane in who:
            yield f"    {self._shown('also' if paired else 'by', lane=lane)}"
        more = finding.count - len(who) - paired
        if who and more > 0:
            yield f"    {self._shown('more', more=more)}"
        for what, value in finding.values.get("also", {}).items():
            yield f"    {self._shown(f'also-{what}', **{what: value})}"
        if "seed" in finding.values and finding.sites:
            yield f"    {self._shown('order', seed=finding.values['seed'])}"
        if remedy := self.words.remedy(finding):
            yield f"    {self._shown('remedy', remedy=remedy)}"

    def _shown(self, part: str, **parameters: Any) -> str:
        return self.words.word("shown", part, **parameters)

    def doer(self, finding: Finding) -> str:
        """Return the first thread that did it, such as `by thread (0,0,0) in block (0,0,0)`; empty if none is known."""
        return self._shown("by", lane=self._lane(finding.who[0])) if finding.who else ""

    def times(self, finding: Finding) -> str:
        """Return how often it happened, such as `3 times`; empty for once."""
        return self._shown("times", count=finding.count) if finding.sites and finding.count > 1 else ""

    def _lane(self, who: Who) -> str:
        block, thread = (",".join(map(str, place)) for place in (who.block, who.thread))
        return self._shown("lane", block=block, thread=thread, warp=who.warp, number=who.lane)

    def _where(self, place: Place, finding: Finding, role: str, number: int) -> Iterator[str]:
        """A place with its line; of a pair with what its lane did there."""
        form = "site-role" if role else "site" if number == 0 else "site-more"
        paired = finding.kind in PAIRED and number < min(2, len(finding.who))
        lane = self._lane(finding.who[number]) if paired else ""
        parts = {
            "role": finding.values[role] if role else "",
            "place": self._place(place) if place.known else self._shown("nowhere"),
            "inside": self._shown("inside", function=place.function) if place.known and place.function else "",
            "doer": self._shown("doer", lane=lane) if lane else "",
        }
        yield f"    {self._shown(form, **parts)}"
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
        """The same finding with the source's own names for shared and local arrays, where they are certain, and with
        what only the source shows.
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
            if isinstance(text, str) and (name := self._name(text, finding)):
                values = {key: name if value == text else value for key, value in finding.values.items()}
                finding = replace(
                    finding, argument=name if finding.argument == text else finding.argument, values=values
                )
        return finding

    def _at_target(self, finding: Finding, number: int) -> Place:
        """Return a place; of a write, whose column may be in what is written, at the index on the left of `=`."""
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

    def _name(self, text: str, finding: Finding) -> str | None:
        """What the source calls memory that compilers of Mojo forget the name of."""
        if match := _NUMBERED.fullmatch(text):
            lines = ((file, line) for place in finding.sites if place.known for file, line in place.lines)
            names = (shared_name(self.source(file), line, int(match[1])) for file, line in lines)
            return next(filter(None, names), None)
        if match := _PLACED.fullmatch(text):
            file, line = match[1], int(match[2])
            return local_name(self.source(file), line) or f"local variable at {self.named(file)}:{line}"
        return None


def _sentence(message: str, finding: Finding) -> str:
    """With a capital, unless it begins with a name, of an argument or such as `p15`."""
    first = message.partition(" ")[0].rstrip(":,;")
    named = (
        not first.isalpha() or _HANGUL.search(message) or first in (finding.argument, finding.values.get("argument"))
    )
    return message if named else message[:1].upper() + message[1:]


def text(result: Any, renderer: Renderer | None = None, *, least: str = SEVERITIES[-1]) -> str:
    """The findings of a `LaunchResult`, one block of lines for each, and a summary.

    Args:
        result: Of a launch.
        renderer: Shows them; unless told with the lines of files below the current folder.
        least: The least severity to show; the summary counts all of them.
    """
    renderer = renderer or Renderer(Excerpts(Path.cwd()))
    shown = SEVERITIES[: SEVERITIES.index(least) + 1]
    lines = []
    for finding in (told for told in result.findings if told.severity in shown):
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
    """Return what is to be known about a whole `LaunchResult`, as information without a place."""
    assumed = ATOMIC_ORDERING in result.fidelity
    return (Finding("unknown-producer", "information", result.kernel),) if assumed else ()


def _summary(findings: Sequence[Finding]) -> dict[str, int]:
    return {
        severity: sum(finding.severity == severity for finding in findings)
        for severity in ("error", "warning", "information")
    }


def as_dict(result: Any, renderer: Renderer | None = None) -> dict[str, Any]:
    """A `LaunchResult` for JSON, without NaN and infinities."""
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
