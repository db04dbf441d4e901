"""Accesses of one event as the race observer sees them, and the pairs that race."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from harness.simt.arrays import Array, Booleans, Integers
from harness.simt.events import AccessEvent
from harness.simt.findings import Who
from harness.simt.ir.site import Site
from harness.simt.ir.values import POISON_BYTES, bfloat_bits
from harness.simt.observe import Launch
from harness.simt.observing.race_shadow import ATOMIC_READ, READ, WRITE, Records, Shape
from harness.simt.state.allocation import Octets

__all__ = ["ERROR", "SAME", "WARN", "Pairs", "Touch"]

EXAMPLES = 64
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
        level: The narrowest level that holds both threads.
        volatile: Whether one of them is volatile and no atomic.
        space, argument, offset, size: The bytes where they meet.
        values: What the later one left there, and what is there.
        record: The last access that raced, and `seen` which of its threads did.
        count: How many threads raced.
        who: The first of them, in pairs.
    """

    sites: tuple[Site, Site]
    sources: tuple[int, int]
    kinds: tuple[int, int]
    severity: int
    level: int
    volatile: bool
    space: str
    argument: str
    offset: int
    size: int
    values: dict[str, Any]
    record: int
    seen: Integers
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
            return "race.scope"
        return f"race.{self.space}.{ORDERS[self.hazard]}"


class Pairs:
    """Pairs of places in the source whose accesses race, each with its worst case.

    Args:
        records: Of all accesses.
        blocks: The number in the grid of each block, in the order they ran.
    """

    def __init__(self, engine: Launch, shape: Shape, records: Records, blocks: Integers) -> None:
        self.engine, self.shape, self.records, self.blocks = engine, shape, records, blocks
        self._pairs: dict[tuple[frozenset[int], int], _Pair] = {}

    def add(
        self,
        touch: "Touch",
        other: int,
        at: Integers,
        them: Integers,
        events: Integers,
        level: Integers,
        severity: Integers,
    ) -> None:
        """Adds unordered pairs: `at` of an access and earlier ones.

        Args:
            other: The kind of the earlier accesses.
            them, events: Their threads and records.
            level, severity: For each pair.
        """
        order = np.lexsort((-severity, events))
        columns = tuple(column[order] for column in (at, them, events, level, severity))
        sources = self.records.sources[columns[2]]
        _, first, inverse = np.unique(sources, return_index=True, return_inverse=True)
        for number in np.argsort(first).tolist() if len(first) > 1 else (0,):
            here = np.flatnonzero(inverse == number) if len(first) > 1 else slice(None)
            self._add(touch, other, int(sources[first[number]]), *(column[here] for column in columns))

    def _add(
        self,
        touch: "Touch",
        other: int,
        source: int,
        at: Integers,
        them: Integers,
        events: Integers,
        level: Integers,
        severity: Integers,
    ) -> None:
        """Adds pairs with accesses of one source, in the order of their events, in each the worst first."""
        own = int(self.records.sources[touch.record])
        key = frozenset((source, own)), touch.event.allocation.number
        later = np.unique(touch.who[at])
        pair, begin = self._pairs.get(key), 0
        worst = int(severity.argmax())
        if pair is None or severity[worst] > pair.severity:
            event, before, begin = int(events[worst]), pair, worst
            pair = self._pairs[key] = _Pair(
                sites=(self.records.sites[event], touch.event.site),
                sources=(source, own),
                kinds=(other, touch.kind),
                severity=int(severity[worst]),
                level=int(level[events == event].max()),
                volatile=touch.volatile or bool(self.records.volatile[event]),
                space=touch.space,
                argument=touch.event.allocation.name,
                offset=touch.offset(at[worst : worst + 1]),
                size=touch.event.size,
                values=touch.values(at[worst : worst + 1]),
                record=touch.record,
                seen=later[:0],
            )
            if before is not None:
                pair.record, pair.seen, pair.count = before.record, before.seen, before.count
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

    def _name(self, number: int) -> Who:
        gx, gy, _ = self.engine.grid
        x, y, _ = self.engine.block
        block = int(self.blocks[number // self.shape.block])
        thread = number % self.shape.block
        return Who(
            (block % gx, block // gx % gy, block // (gx * gy)),
            (thread % x, thread // x % y, thread // (x * y)),
            thread // self.shape.warp,
            thread % self.shape.warp,
        )

    def __len__(self) -> int:
        return len(self._pairs)

    def report(self) -> None:
        """Hands over all findings."""
        for pair in self._pairs.values():
            self.engine.observation.collector.add(
                pair.message,
                SEVERITIES[pair.severity],
                pair.sites,
                pair.who,
                argument=pair.argument,
                offset=pair.offset,
                size=pair.size,
                count=pair.count,
                values={
                    "hazard": pair.hazard,
                    "between": UNITS[pair.level],
                    "level": LEVELS[pair.level],
                    "first": _access(pair.kinds[0]),
                    "second": _access(pair.kinds[1]),
                    **pair.values,
                },
            )


def _access(kind: int) -> str:
    return {READ: "load", WRITE: "store"}.get(kind, "atomic")


class Touch:
    """Accesses of one event, one for each place.

    Attributes:
        kind: What they do.
        scope: The widest level at which they are atomic; -1 for plain ones.
        cells: The places, and `who` touches them; `idx` are these lanes.
        volatile: Whether they are volatile and no atomics.
        updates: Whether they are atomic read-modify-writes.
        record: Their record.
    """

    def __init__(
        self,
        event: AccessEvent,
        kind: int,
        scope: int,
        cells: Integers,
        unit: int,
        who: Integers,
        idx: Integers,
        positions: Integers | None,
    ) -> None:
        """Of places of `unit` bytes, (n, places of each access).

        Args:
            who: The threads, (n,), and `idx` the lanes.
            positions: Which of the event's lanes they are; None for all.
        """
        self.event, self.kind, self.scope = event, kind, scope
        self.cells, self.unit, self.parts = cells.reshape(-1), unit, cells.shape[1]
        self.who, self.idx, self.positions = who, idx, positions
        if self.parts > 1:
            self.who, self.idx = np.repeat(who, self.parts), np.repeat(idx, self.parts)
        self.volatile = event.volatile and event.ordering is None
        self.updates = event.kind == "atomic"
        self.record = -1
        self.space = "shared" if event.allocation.rows == "block" else "global"

    def _lane(self, at: Integers) -> Integers:
        """The event's positions of the lanes."""
        lane: Integers = at // self.parts
        return lane if self.positions is None else self.positions[lane]

    def _bytes(self, at: Integers, values: Array) -> Octets | None:
        """Of the event's values the bytes of places, (n, unit); None where they cannot be told."""
        values = values[self._lane(at)] if len(values) > 1 else np.repeat(values, len(at), 0)
        size = self.event.size
        if values.dtype == object:
            return None
        raw = np.ascontiguousarray(values)
        if raw.size and raw.nbytes // len(raw) == 2 * size:
            raw = np.ascontiguousarray(bfloat_bits(raw))
        if raw.nbytes != len(at) * size:
            return None
        octets = raw.view(np.uint8).reshape(len(at), self.parts, self.unit)
        written: Octets = octets[np.arange(len(at)), at % self.parts]
        return written

    def _told(self, at: Integers, octets: Octets) -> Booleans:
        """Whether bytes tell values apart: an undefined value does only as long as it is copied."""
        taint = self.event.taint
        if taint is None or not taint.any():
            return np.ones(len(at), bool)
        defined: Booleans = (taint[self._lane(at)] if len(taint) > 1 else taint) == 0
        return defined | np.isin(octets, POISON_BYTES).all(1)

    def same(self, left: Integers, right: Integers) -> Booleans:
        """Whether pairs of writes write the same bytes."""
        first, second = (self._bytes(at, self.event.values) for at in (left, right))
        if first is None or second is None:
            return np.zeros(len(left), bool)
        equal: Booleans = (first == second).all(1)
        return equal & self._told(left, first)

    def _memory(self, at: Integers) -> Octets:
        places = self.cells[at][:, None] * self.unit + np.arange(self.unit)
        octets: Octets = self.event.allocation.data[places]
        return octets

    def same_as_memory(self, at: Integers) -> Booleans:
        """Whether writes leave what was there; a store is told before it is done, an atomic after."""
        event = self.event
        new = self._bytes(at, event.values if event.old is None else event.old)
        if new is None:
            return np.zeros(len(at), bool)
        equal: Booleans = (new == self._memory(at)).all(1)
        return equal & self._told(at, new)

    def offset(self, at: Integers) -> int:
        """The first byte of one access, in the allocation's row."""
        return int(self.cells[at[0]]) * self.unit % max(1, self.event.allocation.stride)

    def values(self, at: Integers) -> dict[str, Any]:
        """What one access left in its place, and what is there."""
        values, lane = self.event.values, int(self._lane(at)[0])
        left = values[lane] if len(values) > 1 else values[0]
        return {"later": left.tolist(), "there": self._memory(at)[0].tobytes().hex()}
