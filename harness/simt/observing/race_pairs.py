"""The pairs of accesses that race, as they are told."""

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from harness.simt.arrays import Integers, distinct
from harness.simt.findings import Who
from harness.simt.ir.site import Site
from harness.simt.observe import RunningLaunch
from harness.simt.observing.race_shadow import ATOMIC_READ, ATOMIC_WRITE, READ, WRITE, Records, Shape
from harness.simt.observing.race_touch import Touch
from harness.simt.observing.race_uses import Uses

__all__ = ["ERROR", "SAME", "WARN", "Pairs", "Unordered"]

EXAMPLES = 64
FOLLOWED = 1 << 16  # pairs of threads of one pair of places: of more, both hazards of a pair are counted
READS = (READ, ATOMIC_READ)
UNITS = ("threads of one warp", "warps of one block", "blocks of one cluster", "different blocks")
LEVELS = ("warp", "block", "cluster", "grid")
ORDERS = {"RAW": "write-read", "WAR": "read-write", "WAW": "write-write"}
SAME, WARN, ERROR = range(3)
SEVERITIES = ("information", "warning", "error")  # of these


@dataclass(slots=True, kw_only=True)
class _Pair:
    """Accesses of two places in the source that race, told by the worst of them.

    Attributes:
        sites: Of the earlier one and of the later one, and `sources` the numbers of their places in the source.
        kinds: What these do.
        severity: `SAME`, `WARN` or `ERROR`.
        level: The narrowest level that holds both threads, and `widest` that of all pairs of threads that race so.
        volatile: Whether one of them is volatile and no atomic.
        mixed: Whether they are of different sizes.
        space, argument, offset, size: The bytes where they meet.
        values: What the later one left there, and what is there.
        earlier: The thread of the earlier access.
        in_step: Whether a thread writes what another one reads in the same execution of one statement.
        record: The last access that raced, and `seen` which of its threads did.
        counted: The pairs of threads that raced, as numbers, by the source of the earlier access.
        count: How many threads raced.
        who: The first of them, in pairs.
    """

    sites: tuple[Site, Site]
    sources: tuple[int, int]
    kinds: tuple[int, int]
    severity: int
    level: int
    volatile: bool
    mixed: bool
    space: str
    argument: str
    offset: int
    size: int
    values: dict[str, Any]
    record: int
    seen: Integers
    earlier: int
    in_step: bool = False
    counted: dict[int, Integers] = field(default_factory=dict)
    widest: int = 0
    count: int = 0
    who: list[Who] = field(default_factory=list)

    @property
    def hazard(self) -> str:
        """`RAW`, `WAR` or `WAW`."""
        earlier, later = (kind in READS for kind in self.kinds)
        return "RAW" if later else "WAR" if earlier else "WAW"

    @property
    def message(self) -> str:
        """The id of the message."""
        if self.severity == SAME:
            return "several-writers"
        if self.volatile and self.severity == WARN:
            return "race.volatile"
        if min(self.kinds) > WRITE and self.severity == ERROR:
            return "race.sizes" if self.mixed else "race.scope"
        return f"race.{self.space}.{ORDERS[self.hazard]}"


@dataclass(slots=True, eq=False)
class Unordered:
    """Places of an access where nothing orders it and earlier ones.

    Attributes:
        other: The kind of the earlier accesses.
        at: The places, by their numbers in the access.
        them, events: The threads of the earlier accesses, and their records.
        level, severity: For each, of the two threads and of the two accesses.
    """

    touch: Touch
    other: int
    at: Integers
    them: Integers
    events: Integers
    level: Integers
    severity: Integers

    def part(self, here: Integers) -> "Unordered":
        """Some of them, in an order."""
        columns = (self.at, self.them, self.events, self.level, self.severity)
        return Unordered(self.touch, self.other, *(column[here] for column in columns))


class Pairs:
    """Pairs of places in the source whose accesses race, each with its worst case.

    Args:
        records: Of all accesses.
        blocks: The number in the grid of each block, in the order they ran.

    Attributes:
        publishers: Which threads update global memory by atomics.
        phased: Whether threads arrived at a barrier in shared memory.
        agree: Whether all that is unordered are stores of one value. Each thread that stores to such a place leaves
            that value in the end, and no thread loads it meanwhile: any order of them leaves the same.
    """

    def __init__(self, engine: RunningLaunch, shape: Shape, records: Records, blocks: Integers) -> None:
        self.engine, self.shape, self.records, self.blocks = engine, shape, records, blocks
        self._pairs: dict[tuple[frozenset[int], int], _Pair] = {}
        self.publishers = np.zeros(shape.total, bool)
        self.phased, self.agree = False, True

    def add(self, found: Unordered) -> None:
        """Adds what is unordered, by the places in the source of the earlier accesses."""
        self.agree &= found.other == WRITE == found.touch.kind and bool((found.severity == SAME).all())
        found = found.part(np.lexsort((-found.severity, found.events)))
        _, first, inverse = np.unique(self.records.sources[found.events], return_index=True, return_inverse=True)
        for number in np.argsort(first).tolist():
            self._add(found.part(np.flatnonzero(inverse == number)))

    def _add(self, found: Unordered) -> None:
        """Adds what is unordered with accesses of one source, in the order of their events, in each the worst first."""
        touch, at, them, events, severity = found.touch, found.at, found.them, found.events, found.severity
        source, own = (int(self.records.sources[record]) for record in (events[0], touch.record))
        key = frozenset((source, own)), touch.event.allocation.number
        later = touch.who[at] if touch.parts == 1 else distinct(touch.who[at])
        pair, begin = self._pairs.get(key), 0
        worst = int(severity.argmax())
        if pair is None or severity[worst] > pair.severity:
            event, before, begin = int(events[worst]), pair, worst
            pair = self._pairs[key] = _Pair(
                sites=(self.records.sites[event], touch.event.site),
                sources=(source, own),
                kinds=(found.other, touch.kind),
                severity=int(severity[worst]),
                level=int(found.level[events == event].max()),
                volatile=touch.volatile or bool(self.records.volatile[event]),
                mixed=bool(self.records.sizes[event] != touch.size),
                space=touch.space,
                argument=touch.event.allocation.name,
                offset=touch.offset(at[worst : worst + 1]),
                size=touch.event.size,
                values=touch.values(at[worst : worst + 1]),
                record=touch.record,
                seen=later[:0],
                earlier=int(them[worst]),
            )
            if before is not None:
                pair.record, pair.seen, pair.count = before.record, before.seen, before.count
                pair.counted = before.counted
        if found.other == READ and touch.kind == WRITE and not pair.in_step:
            pair.in_step = self._reads_in_step(events, touch)
        pair.widest = max(pair.widest, int(found.level.max(initial=0, where=severity == pair.severity)))
        if source != own:
            fresh = self._uncounted(pair, source, own, them, touch.who[at])
            if pair.who:  # otherwise it begins, with the worst of its threads
                at, them = at[fresh], them[fresh]
                later = touch.who[at] if touch.parts == 1 else distinct(touch.who[at])
        # A thread that races with several before it is counted once.
        if pair.record == touch.record:
            later = np.setdiff1d(later, pair.seen, assume_unique=True)
            pair.seen = np.concatenate((pair.seen, later))
        else:
            pair.record, pair.seen = touch.record, later
        pair.count += len(later)
        room = begin + (EXAMPLES - len(pair.who)) // 2
        swap = pair.sources[0] != source
        for first, second in zip(them[begin:room], touch.who[at[begin:room]], strict=False):
            names = self._name(int(first)), self._name(int(second))
            pair.who += names[::-1] if swap else names

    def _uncounted(self, pair: _Pair, source: int, later: int, them: Integers, who: Integers) -> Integers:
        """Return the positions of threads that have not raced the other way round: a loop makes both hazards."""
        numbers = np.minimum(them, who).astype(np.int64) * self.shape.total + np.maximum(them, who)
        others = pair.counted.get(later)
        fresh = np.flatnonzero(~np.isin(numbers, others)) if others is not None else np.arange(len(numbers))
        counted = pair.counted.get(source)
        if counted is None or len(counted) < FOLLOWED:
            pair.counted[source] = distinct(np.concatenate((numbers[fresh], () if counted is None else counted)))
        return fresh

    def _reads_in_step(self, events: Integers, touch: Touch) -> bool:
        """Return whether the earlier reads are the last ones of their instruction before a write."""
        read = self.records.sites[int(events[-1])]
        earlier = (record for record in range(touch.record - 1, -1, -1) if self.records.sites[record] is read)
        return next(earlier, -1) in events

    def _name(self, number: int) -> Who:
        block, thread = int(self.blocks[number // self.shape.block]), number % self.shape.block
        return Who.numbered(block, thread, self.engine.grid, self.engine.block, self.shape.warp)

    def __len__(self) -> int:
        return len(self._pairs)

    @cached_property
    def _uses(self) -> Uses:
        return Uses(self.engine.program.graph)

    def _judged(self, pair: _Pair) -> tuple[str, int]:
        """The id of a pair's message, and its severity."""
        kinds, (first, second) = pair.kinds, pair.sites
        if pair.severity == SAME or pair.volatile:
            return pair.message, pair.severity
        if kinds == (WRITE, WRITE) and self._uses.updates(first) and self._uses.updates(second):
            return "race.update", pair.severity
        load, other = (first, second) if kinds[0] == READ else (second, first)
        if sorted(kinds) == [READ, WRITE] and self._uses.update(load, other):
            return "race.update", pair.severity
        if sorted(kinds) == [READ, ATOMIC_WRITE] and self._uses.first_load(load):
            return "race.first-load", WARN
        return pair.message, pair.severity

    def _remedy(self, pair: _Pair) -> str:
        """Return which remedy fits: no barrier of a block orders others, nor has it room within one line."""
        first, second = (site.source for site in pair.sites)
        level = LEVELS[pair.widest]
        if level in ("warp", "block"):
            if self.phased:
                return "phase"
            within = first is not None and second is not None and (first.file, first.line) == (second.file, second.line)
            if within and READ in pair.kinds:
                return "statement" if pair.in_step else "step"
        if level in ("cluster", "grid") and self._lacks_barrier(pair):
            return "ticket"
        return level

    def _lacks_barrier(self, pair: _Pair) -> bool:
        """Return whether another thread of the writer's block publishes by an atomic what the writer itself does not.

        Blocks that count themselves by an atomic are ordered by it as soon as a barrier stands before it.
        """
        if pair.kinds != (WRITE, READ) or self.publishers[pair.earlier]:
            return False
        first = pair.earlier // self.shape.block * self.shape.block
        return bool(self.publishers[first : first + self.shape.block].any())

    def report(self) -> None:
        """Hands over all findings."""
        for pair in self._pairs.values():
            message, severity = self._judged(pair)
            self.engine.observation.collector.add(
                message,
                SEVERITIES[severity],
                pair.sites,
                pair.who,
                argument=pair.argument,
                offset=pair.offset,
                size=pair.size,
                count=pair.count,
                values={
                    "hazard": pair.hazard,
                    "between": UNITS[pair.level],
                    "level": self._remedy(pair),
                    "volatile": "blocks" if LEVELS[pair.widest] == "grid" else "block",
                    "writers": "one" if pair.sources[0] == pair.sources[1] else "several",
                    "first": _access(pair.kinds[0], pair.sites[0]),
                    "second": _access(pair.kinds[1], pair.sites[1]),
                    **pair.values,
                },
            )


def _access(kind: int, site: Site) -> str:
    """Return what an access is called: a term of the messages' `first`."""
    plain = "load" if kind in READS else "store"
    if kind in (READ, WRITE):
        return plain
    if site.instruction.attrs.get("ordering") or site.instruction.opcode not in ("load", "store"):
        return "atomic"
    return f"volatile-{plain}"
