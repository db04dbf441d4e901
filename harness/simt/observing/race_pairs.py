"""Collect racing pairs by their two source locations, choose severity and remedy of each, and report it."""

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from harness.simt.arrays import Integers, distinct
from harness.simt.findings import Who
from harness.simt.ir.site import Site
from harness.simt.observe import RunningLaunch
from harness.simt.observing.race_accesses import RaceAccess
from harness.simt.observing.race_shadow import ATOMIC_READ, ATOMIC_WRITE, READ, WRITE, Records, ThreadNumbering
from harness.simt.observing.race_uses import ValueUses

__all__ = ["ERROR", "SAME", "WARN", "RacingPairs", "UnorderedPairs"]

EXAMPLES = 64
MAX_COUNTED = 1 << 16  # pairs of threads for one pair of locations; beyond that, both hazards of a pair are counted
READS = (READ, ATOMIC_READ)
UNITS = ("threads of one warp", "warps of one block", "blocks of one cluster", "different blocks")
LEVELS = ("warp", "block", "cluster", "grid")
ORDERS = {"RAW": "write-read", "WAR": "read-write", "WAW": "write-write"}
SAME, WARN, ERROR = range(3)
SEVERITIES = ("information", "warning", "error")  # of these


@dataclass(slots=True, kw_only=True)
class _Pair:
    """Accesses of two source locations that race, described by the worst of them.

    Attributes:
        sites: Of the earlier access and of the later one; `sources`: the numbers of their source locations.
        kinds: The kinds of these accesses.
        severity: `SAME`, `WARN` or `ERROR`.
        level: The narrowest level that holds both threads; `widest`: that of all pairs of threads with this severity.
        volatile: Whether one of them is volatile and no atomic.
        mixed: Whether they have different sizes.
        space, argument, offset, size: The bytes where they overlap.
        values: What the later access wrote there, and what is there.
        earlier: The thread of the earlier access.
        is_in_step: Whether a thread writes what another one reads in the same execution of one statement.
        record: The last access that raced; `seen`: which of its threads did.
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
    is_in_step: bool = False
    counted: dict[int, Integers] = field(default_factory=dict)
    widest: int = 0
    count: int = 0
    who: list[Who] = field(default_factory=list)

    @property
    def hazard(self) -> str:
        """`RAW` if the later access reads, else `WAR` if the earlier one does, else `WAW`."""
        earlier, later = (kind in READS for kind in self.kinds)
        return "RAW" if later else "WAR" if earlier else "WAW"

    @property
    def message(self) -> str:
        """The id of the message: `several-writers` for equal values, `race.volatile` for volatile accesses' warnings.

        Two atomics that race as an error give `race.sizes` or `race.scope`, all else names the space and the order.
        """
        if self.severity == SAME:
            return "several-writers"
        if self.volatile and self.severity == WARN:
            return "race.volatile"
        if min(self.kinds) > WRITE and self.severity == ERROR:
            return "race.sizes" if self.mixed else "race.scope"
        return f"race.{self.space}.{ORDERS[self.hazard]}"


@dataclass(slots=True, eq=False)
class UnorderedPairs:
    """Locations of one access at which nothing orders it and earlier accesses.

    Attributes:
        other: The kind of the earlier accesses.
        at: The positions of the locations in the access.
        them, events: The threads of the earlier accesses, and their records.
        level, severity: For each, of the two threads, and of the two accesses.
    """

    access: RaceAccess
    other: int
    at: Integers
    them: Integers
    events: Integers
    level: Integers
    severity: Integers

    def part(self, positions: Integers) -> "UnorderedPairs":
        """Return the pairs at some positions, in that order; the access and the other kind stay."""
        columns = (self.at, self.them, self.events, self.level, self.severity)
        return UnorderedPairs(self.access, self.other, *(column[positions] for column in columns))


class RacingPairs:
    """Pairs of source locations whose accesses race, each with its worst case.

    Args:
        records: Of all accesses.
        blocks: The number in the grid of each block, in the order they ran.

    Attributes:
        publishers: For each thread whether it updates global memory by atomics.
        has_mbarriers: Whether threads arrived at an mbarrier.
        only_same_values: Whether all that is unordered are stores of one value. Each thread that stores to such a
            location leaves that value in the end, and no thread loads it meanwhile: any order of them leaves the same.
    """

    def __init__(self, engine: RunningLaunch, shape: ThreadNumbering, records: Records, blocks: Integers) -> None:
        self.engine, self.shape, self.records, self.blocks = engine, shape, records, blocks
        self._pairs: dict[tuple[frozenset[int], int], _Pair] = {}
        self.publishers = np.zeros(shape.total, bool)
        self.has_mbarriers, self.only_same_values = False, True

    def add(self, pairs: UnorderedPairs) -> None:
        """Add unordered pairs, grouped by the source locations of the earlier accesses.

        Clear `only_same_values` unless all are stores of the same value.
        """
        self.only_same_values &= pairs.other == WRITE == pairs.access.kind and bool((pairs.severity == SAME).all())
        pairs = pairs.part(np.lexsort((-pairs.severity, pairs.events)))
        _, first, inverse = np.unique(self.records.sources[pairs.events], return_index=True, return_inverse=True)
        for number in np.argsort(first).tolist():
            self._add(pairs.part(np.flatnonzero(inverse == number)))

    def _add(self, pairs: UnorderedPairs) -> None:
        """Add unordered pairs whose earlier accesses share a source location, sorted by event, and then worst first.

        The `_Pair` of both source locations and the allocation counts each later thread once for an access. If one of
        `pairs` is worse, the `_Pair` is replaced, except for its counts; threads are then listed from the worst on.
        """
        access, positions, them, events, severity = pairs.access, pairs.at, pairs.them, pairs.events, pairs.severity
        source, own_source = (int(self.records.sources[record]) for record in (events[0], access.record))
        key = frozenset((source, own_source)), access.event.allocation.number
        later = access.who[positions] if access.parts == 1 else distinct(access.who[positions])
        pair, first_shown = self._pairs.get(key), 0
        worst = int(severity.argmax())
        if pair is None or severity[worst] > pair.severity:
            event, before, first_shown = int(events[worst]), pair, worst
            pair = self._pairs[key] = _Pair(
                sites=(self.records.sites[event], access.event.site),
                sources=(source, own_source),
                kinds=(pairs.other, access.kind),
                severity=int(severity[worst]),
                level=int(pairs.level[events == event].max()),
                volatile=access.volatile or bool(self.records.volatile[event]),
                mixed=bool(self.records.sizes[event] != access.size),
                space=access.space,
                argument=access.event.allocation.name,
                offset=access.offset(positions[worst : worst + 1]),
                size=access.event.size,
                values=access.values(positions[worst : worst + 1]),
                record=access.record,
                seen=later[:0],
                earlier=int(them[worst]),
            )
            if before is not None:
                pair.record, pair.seen, pair.count = before.record, before.seen, before.count
                pair.counted = before.counted
        if pairs.other == READ and access.kind == WRITE and not pair.is_in_step:
            pair.is_in_step = self._reads_in_step(events, access)
        pair.widest = max(pair.widest, int(pairs.level.max(initial=0, where=severity == pair.severity)))
        if source != own_source:
            uncounted = self._uncounted(pair, source, own_source, them, access.who[positions])
            if pair.who:  # otherwise it begins, with the worst of its threads
                positions, them = positions[uncounted], them[uncounted]
                later = access.who[positions] if access.parts == 1 else distinct(access.who[positions])
        # A thread that races with several before it is counted once.
        if pair.record == access.record:
            later = np.setdiff1d(later, pair.seen, assume_unique=True)
            pair.seen = np.concatenate((pair.seen, later))
        else:
            pair.record, pair.seen = access.record, later
        pair.count += len(later)
        room = first_shown + (EXAMPLES - len(pair.who)) // 2
        swap = pair.sources[0] != source
        for first, second in zip(them[first_shown:room], access.who[positions[first_shown:room]], strict=False):
            names = self._name(int(first)), self._name(int(second))
            pair.who += names[::-1] if swap else names

    def _uncounted(self, pair: _Pair, source: int, later: int, them: Integers, who: Integers) -> Integers:
        """Return the positions of the pairs of threads that were not counted yet with the two source locations swapped.

        A loop makes both hazards. The new pairs are noted in `pair.counted`, unless it has `MAX_COUNTED`. `source` and
        `later` are the numbers of the source locations of the earlier and the later accesses.
        """
        numbers = np.minimum(them, who).astype(np.int64) * self.shape.total + np.maximum(them, who)
        others = pair.counted.get(later)
        uncounted = np.flatnonzero(~np.isin(numbers, others)) if others is not None else np.arange(len(numbers))
        counted = pair.counted.get(source)
        if counted is None or len(counted) < MAX_COUNTED:
            pair.counted[source] = distinct(np.concatenate((numbers[uncounted], () if counted is None else counted)))
        return uncounted

    def _reads_in_step(self, events: Integers, access: RaceAccess) -> bool:
        """Return whether a write races with the last execution, before it, of the instruction that reads.

        Args:
            events: The records of the reads that race with `access`, the write; ascending.
        """
        read = self.records.sites[int(events[-1])]
        earlier = (record for record in range(access.record - 1, -1, -1) if self.records.sites[record] is read)
        return next(earlier, -1) in events

    def _name(self, number: int) -> Who:
        """Return the block and thread of a thread's number."""
        block, thread = int(self.blocks[number // self.shape.block]), number % self.shape.block
        return Who.numbered(block, thread, self.engine.grid, self.engine.block, self.shape.warp)

    def __len__(self) -> int:
        return len(self._pairs)

    @cached_property
    def _uses(self) -> ValueUses:
        return ValueUses(self.engine.program.graph)

    def _classify(self, pair: _Pair) -> tuple[str, int]:
        """Return the id of a pair's message, and its severity (`SAME`, `WARN` or `ERROR`).

        It is `race.update` if two stores each write what they computed from a load of their address, or one what it
        computed from the load that it races with; the first load of a compare-and-swap loop is a warning. For equal
        values and volatile accesses, and for all other pairs, it is the pair's own message.
        """
        kinds, (first, second) = pair.kinds, pair.sites
        if pair.severity == SAME or pair.volatile:
            return pair.message, pair.severity
        if kinds == (WRITE, WRITE) and self._uses.updates_memory(first) and self._uses.updates_memory(second):
            return "race.update", pair.severity
        load, other = (first, second) if kinds[0] == READ else (second, first)
        if sorted(kinds) == [READ, WRITE] and self._uses.is_update(load, other):
            return "race.update", pair.severity
        if sorted(kinds) == [READ, ATOMIC_WRITE] and self._uses.is_first_load(load):
            return "race.first-load", WARN
        return pair.message, pair.severity

    def _remedy(self, pair: _Pair) -> str:
        """Return the remedy that fits: what could order the threads, and whether there is room for it in the source.

        In a block: `phase` if there are mbarriers, else `statement` or `step` for a plain read and a write in one line.
        Between blocks: `ticket` if the writer's block lacks a barrier. Else the widest level's name in `LEVELS`.
        """
        first, second = (site.source for site in pair.sites)
        level = LEVELS[pair.widest]
        if level in ("warp", "block"):
            if self.has_mbarriers:
                return "phase"
            within = first is not None and second is not None and (first.file, first.line) == (second.file, second.line)
            if within and READ in pair.kinds:
                return "statement" if pair.is_in_step else "step"
        if level in ("cluster", "grid") and self._lacks_barrier(pair):
            return "ticket"
        return level

    def _lacks_barrier(self, pair: _Pair) -> bool:
        """Return whether another thread of the writer's block publishes by an atomic, but not the writer itself.

        Blocks that count themselves by an atomic are ordered by it as soon as a barrier precedes it.
        False unless a plain write comes first, and then a plain read.
        """
        if pair.kinds != (WRITE, READ) or self.publishers[pair.earlier]:
            return False
        first = pair.earlier // self.shape.block * self.shape.block
        return bool(self.publishers[first : first + self.shape.block].any())

    def report(self) -> None:
        """Report a finding for each pair, in the order in which they were first added."""
        for pair in self._pairs.values():
            message, severity = self._classify(pair)
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
                    "first": _access_term(pair.kinds[0], pair.sites[0]),
                    "second": _access_term(pair.kinds[1], pair.sites[1]),
                    **pair.values,
                },
            )


def _access_term(kind: int, site: Site) -> str:
    """Return the term of the messages' `first`: `load`, `store`, `atomic`, `volatile-load` or `volatile-store`."""
    plain = "load" if kind in READS else "store"
    if kind in (READ, WRITE):
        return plain
    if site.instruction.attrs.get("ordering") or site.instruction.opcode not in ("load", "store"):
        return "atomic"
    return f"volatile-{plain}"
