"""Accesses of one event as the race observer sees them, and whether threads agree on what they write."""

from typing import Any

import numpy as np

from harness.simt.arrays import Array, Booleans, Integers, distinct
from harness.simt.events import AccessEvent
from harness.simt.ir.values import POISON_BYTES, bfloat_bits
from harness.simt.observing.race_shadow import READ, Shape
from harness.simt.state.allocation import Octets

__all__ = ["Agreement", "Touch"]


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
        self.size = event.size // event.elements  # each element is accessed by itself
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

    def _parts(self, at: Integers, octets: Octets) -> Booleans:
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
        return equal & self._parts(left, first)

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
        return equal & self._parts(at, new)

    def offset(self, at: Integers) -> int:
        """The first byte of one access, in the allocation's row."""
        return int(self.cells[at[0]]) * self.unit % max(1, self.event.allocation.stride)

    def values(self, at: Integers) -> dict[str, Any]:
        """What one access left in its place, and what is there."""
        values, lane = self.event.values, int(self._lane(at)[0])
        left = values[lane] if len(values) > 1 else values[0]
        return {"later": left if isinstance(left, int) else left.tolist(), "there": self._memory(at)[0].tobytes().hex()}


class Agreement:
    """Who wrote what is there, where several wrote the same and nothing else was written since.

    Args:
        shape: How threads are numbered.
    """

    def __init__(self, shape: Shape) -> None:
        self._shape = shape
        # By allocation: the bytes of a place, and place * threads + thread of each writer, ascending.
        self._writers: dict[int, tuple[int, Integers]] = {}

    def add(self, touch: Touch, at: Integers) -> None:
        """Notes threads of one event that wrote the same to a place."""
        number, keys = touch.event.allocation.number, self._keys(touch, at, touch.who[at])
        _, before = self._writers.get(number, (touch.unit, keys))
        self._writers[number] = touch.unit, distinct(np.concatenate((before, keys)))

    def written(self, touch: Touch) -> None:
        """Forgets the places where a write changes what is there."""
        number = touch.event.allocation.number
        if number not in self._writers:
            return
        unit, writers = self._writers.pop(number)
        if unit == touch.unit:
            changed = touch.cells[~touch.same_as_memory(np.arange(len(touch.cells)))]
            self._writers[number] = unit, writers[~np.isin(writers // self._shape.total, changed)]

    def readers(self, touch: Touch, at: Integers, them: Integers) -> Booleans:
        """For each pair of a read and a write, whether both threads wrote what is there."""
        unit, writers = self._writers.get(touch.event.allocation.number, (0, np.zeros(0, np.int64)))
        if unit != touch.unit or not len(writers):
            return np.zeros(len(at), bool)
        earlier = np.isin(self._keys(touch, at, them), writers)
        if touch.kind == READ:
            return earlier & np.isin(self._keys(touch, at, touch.who[at]), writers)
        return earlier & touch.same_as_memory(at)

    def _keys(self, touch: Touch, at: Integers, who: Integers) -> Integers:
        return touch.cells[at].astype(np.int64) * self._shape.total + who
