"""Merge a program's findings with one cause into one, which names the other launches, buffers and lines."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from harness.simt.findings import APART, SEVERITIES, Finding, SourceLocation
from harness.simt.render import PAIRED

__all__ = ["ALSO", "Occurrence", "merge_findings"]

ALSO = 3  # further lines that use freed memory, and further buffers, that are named


@dataclass(frozen=True, slots=True)
class Occurrence:
    """A finding with its source locations and its launch.

    Attributes:
        finding: Its places, those of the host too.
        freed: Where the memory was freed that it is about; None where it is about something else.
        launch: The number of the launch that it was found in, from 1; 0 for the host's own.
        kernel: The name of that launch's kernel.
    """

    finding: Finding
    freed: SourceLocation | None = None
    launch: int = 0
    kernel: str = ""


@dataclass(slots=True)
class _Group:
    """Findings with one cause; the first one is the example."""

    first: Occurrence
    count: int = 0
    launches: set[int] = field(default_factory=set)
    buffers: dict[str, None] = field(default_factory=dict)
    places: dict[tuple[str, int], SourceLocation] = field(default_factory=dict)
    levels: set[str] = field(default_factory=set)

    def add(self, occurrence: Occurrence) -> None:
        """Add an occurrence with the same cause to `count`, `launches`, `buffers`, `levels` and `places`.

        Only its first site is added to `places`. Launch 0, of the host's own findings, is not added.
        """
        finding = occurrence.finding
        self.count += finding.count
        self.launches |= {occurrence.launch} - {0}
        self.buffers |= dict.fromkeys(filter(None, [finding.argument]))
        self.levels |= {finding.values["level"]} if "level" in finding.values else set()
        for place in finding.sites[:1]:
            self.places.setdefault((place.file, place.line), place)

    def finding(self) -> Finding:
        """Return the first finding with the sum of all counts, and a dict of what else shows it in `values["also"]`.

        The keys of that dict are `launches`, the number of other launches, and `buffers`, a list of other buffers'
        names: at most `ALSO`, then `...`. A key without content is left out, and so is an empty `also`.
        `values["level"]` is the widest level of all. For freed memory the sites are the first finding's first one, the
        call that freed it, and at most `ALSO` other lines that use it; `values["first"]` and `values["second"]` name
        the kinds of the first two.
        """
        example = self.first.finding
        also: dict[str, object] = {}
        if len(self.launches) > 1:
            also["launches"] = len(self.launches) - 1
        others = [name for name in self.buffers if name != example.argument]
        if example.argument and others:
            also["buffers"] = [*others[:ALSO], *(["..."] if others[ALSO:] else [])]
        sites, values = example.sites, example.values | ({"also": also} if also else {})
        if self.levels:  # the remedy is one for all launches
            values |= {"level": max(self.levels, key=APART.index)}
        if self.first.freed is not None and sites:
            sites = (sites[0], self.first.freed, *list(self.places.values())[1 : 1 + ALSO])
            values |= {"first": values.get("access", "use"), "second": "free"}
        return replace(example, count=self.count, sites=sites, values=values)


def merge_findings(occurrences: Iterable[Occurrence], observed: Counter[str]) -> Iterator[Finding]:
    """Yield one finding for each cause, whichever buffers, launches and instructions show it; errors first.

    A redundant barrier is left out unless all observed launches of its kernel report it.

    Args:
        occurrences: The findings in the order in which they were found.
        observed: The number of observed launches of each kernel, by its name.
    """
    groups: dict[object, _Group] = {}
    for occurrence in occurrences:
        groups.setdefault(_cause_key(occurrence), _Group(occurrence)).add(occurrence)
    for severity in SEVERITIES:
        for group in groups.values():
            # A barrier is redundant only if no launch of the kernel needs it.
            launches = observed[group.first.kernel]
            needed = group.first.finding.kind == "redundant-barrier" and len(group.launches) < launches
            if group.first.finding.severity == severity and not needed:
                yield group.finding()


def _cause_key(occurrence: Occurrence) -> object:
    """Return a key that is equal for findings that one edit of the program fixes.

    Their kind and severity are equal, and so is the line that freed the memory, if any. Else the lines of all sites
    are, in any order for races; of a launch's other findings only the first. A redundant barrier also has the same
    kernel; without sites, id, kernel and argument are equal.
    """
    finding, kind = occurrence.finding, (occurrence.finding.kind, occurrence.finding.severity)
    if occurrence.freed is not None:
        return kind, (occurrence.freed.file, occurrence.freed.line)
    lines = [_line(place) for place in finding.sites]
    if finding.kind == "redundant-barrier":
        return kind, occurrence.kernel, tuple(lines)
    if not lines:
        return kind, finding.id, finding.kernel, finding.argument, finding.values.get("kernel")
    if finding.kind in PAIRED:
        return kind, frozenset(lines)
    # Of a kernel's finding further places say where a value came from.
    return kind, (lines[0] if occurrence.launch else tuple(lines))


def _line(place: SourceLocation) -> Sequence[str | int]:
    return (place.file, place.line) if place.known else (place.file, place.instruction)
