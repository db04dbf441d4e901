"""Split an event's accesses by location, compare the bytes written, and note who wrote the same current value."""

from typing import Any

import numpy as np

from harness.simt.arrays import Array, Booleans, Integers, distinct
from harness.simt.events import AccessEvent
from harness.simt.ir.values import POISON_BYTES, bfloat_bits
from harness.simt.observing.race_shadow import READ, ThreadNumbering
from harness.simt.state.allocation import Octets

__all__ = ["RaceAccess", "SameValueWrites"]


class RaceAccess:
    """Accesses of one event, one for each location.

    Attributes:
        kind: `READ`, `WRITE`, `ATOMIC_READ` or `ATOMIC_WRITE`.
        scope: The widest level at which they are atomic; -1 for plain ones.
        locations: The locations; `who`: the thread that accesses each; `idx`: its lane in the chunk.
        parts: How many locations each lane accesses.
        volatile: Whether they are volatile and no atomics.
        updates: Whether they are atomic read-modify-writes.
        record: Their record.
    """

    def __init__(
        self,
        event: AccessEvent,
        kind: int,
        scope: int,
        locations: Integers,
        unit: int,
        who: Integers,
        idx: Integers,
        positions: Integers | None,
    ) -> None:
        """Describe accesses to locations of `unit` bytes, (n, locations of each access).

        Args:
            who: The threads, (n,); `idx`: their lanes.
            positions: The positions of the lanes in the event; None for all.
        """
        self.event, self.kind, self.scope = event, kind, scope
        self.locations, self.unit, self.parts = locations.reshape(-1), unit, locations.shape[1]
        self.who, self.idx, self.positions = who, idx, positions
        if self.parts > 1:
            self.who, self.idx = np.repeat(who, self.parts), np.repeat(idx, self.parts)
        self.size = event.size // event.elements  # each element is accessed by itself
        self.volatile = event.volatile and event.ordering is None
        self.updates = event.kind == "atomic"
        self.record = -1
        self.space = "shared" if event.allocation.rows == "block" else "global"

    def _lanes_at(self, at: Integers) -> Integers:
        """Return the positions, in the event's lane set, of the lanes that access `locations[at]`."""
        lane: Integers = at // self.parts
        return lane if self.positions is None else self.positions[lane]

    def _bytes_at(self, at: Integers, values: Array) -> Octets | None:
        """Return the bytes of the event's values at some locations, (n, unit), as they are stored: two for a bfloat.

        None if they are not known: the values are Python objects, or, other than bfloats, not as wide as the access.

        Args:
            at: Positions in `locations`.
            values: For each lane of the event, or one for all.
        """
        values = values[self._lanes_at(at)] if len(values) > 1 else np.repeat(values, len(at), 0)
        size = self.event.size
        if values.dtype == object:
            return None
        raw = np.ascontiguousarray(values)
        if raw.size and raw.nbytes // len(raw) == 2 * size:
            raw = np.ascontiguousarray(bfloat_bits(raw))
        if raw.nbytes != len(at) * size:
            return None
        octets = raw.view(np.uint8).reshape(len(at), self.parts, self.unit)
        octets_at: Octets = octets[np.arange(len(at)), at % self.parts]
        return octets_at

    def _distinguish(self, at: Integers, octets: Octets) -> Booleans:
        """Return for each location whether equal bytes mean equal values.

        They do where the value is defined, and where its bytes are all the poison pattern, as of a copied undefined
        value.
        """
        taint = self.event.taint
        if taint is None or not taint.any():
            return np.ones(len(at), bool)
        defined: Booleans = (taint[self._lanes_at(at)] if len(taint) > 1 else taint) == 0
        return defined | np.isin(octets, POISON_BYTES).all(1)

    def write_same(self, first_positions: Integers, second_positions: Integers) -> Booleans:
        """Return for each pair of writes whether they write the same bytes; False for all if these are not known.

        Undefined bytes are the same only if they are the poison pattern.

        Args:
            first_positions, second_positions: The writes of each pair, as positions in `locations`.
        """
        first, second = (self._bytes_at(at, self.event.values) for at in (first_positions, second_positions))
        if first is None or second is None:
            return np.zeros(len(first_positions), bool)
        equal: Booleans = (first == second).all(1)
        return equal & self._distinguish(first_positions, first)

    def _memory_at(self, at: Integers) -> Octets:
        byte_indices = self.locations[at][:, None] * self.unit + np.arange(self.unit)
        octets: Octets = self.event.allocation.data[byte_indices]
        return octets

    def leaves_same(self, at: Integers) -> Booleans:
        """Return for each write whether it leaves what was there; False for all if its bytes are not known.

        It compares with memory now: a store is reported before it is done, an atomic after. A value that is undefined
        leaves what was there only if both are the poison pattern.
        """
        event = self.event
        new = self._bytes_at(at, event.values if event.old is None else event.old)
        if new is None:
            return np.zeros(len(at), bool)
        equal: Booleans = (new == self._memory_at(at)).all(1)
        return equal & self._distinguish(at, new)

    def offset(self, at: Integers) -> int:
        """Return where the first location of `at` begins, in bytes from the start of its row of the allocation."""
        return int(self.locations[at[0]]) * self.unit % max(1, self.event.allocation.stride)

    def values(self, at: Integers) -> dict[str, Any]:
        """Return, for the first position of `at`: `later`, the event's value in that lane, a number or a list of them.

        And `there`: the bytes of that location now, as hex digits.
        """
        values, lane = self.event.values, int(self._lanes_at(at)[0])
        written = values[lane] if len(values) > 1 else values[0]
        return {
            "later": written if isinstance(written, int) else written.tolist(),
            "there": self._memory_at(at)[0].tobytes().hex(),
        }


class SameValueWrites:
    """The threads that wrote the current value of a location, if several wrote the same and nothing else was written
    since.

    Args:
        shape: How threads are numbered.
    """

    def __init__(self, shape: ThreadNumbering) -> None:
        self._shape = shape
        # By allocation: the bytes of a location, and location * threads + thread of each writer, ascending.
        self._writers: dict[int, tuple[int, Integers]] = {}

    def add(self, access: RaceAccess, at: Integers) -> None:
        """Note that the threads at positions `at` of an access all wrote the current value of their locations.

        Those noted before stay.
        """
        number, keys = access.event.allocation.number, self._keys_of(access, at, access.who[at])
        _, before = self._writers.get(number, (access.unit, keys))
        self._writers[number] = access.unit, distinct(np.concatenate((before, keys)))

    def forget_changed(self, access: RaceAccess) -> None:
        """Forget the writers of locations whose value a write changes, or may change, as its bytes are not known.

        If locations of the allocation became narrower, forget all of its writers.
        """
        number = access.event.allocation.number
        if number not in self._writers:
            return
        unit, writers = self._writers.pop(number)
        if unit == access.unit:
            changed = access.locations[~access.leaves_same(np.arange(len(access.locations)))]
            self._writers[number] = unit, writers[~np.isin(writers // self._shape.total, changed)]

    def both_wrote(self, access: RaceAccess, at: Integers, them: Integers) -> Booleans:
        """Return for each pair of a read and a write whether both threads wrote the current value.

        A later access that writes counts as such if it leaves what is there. False for all if no writers are noted for
        locations of this width.

        Args:
            access: The later access of each pair, which reads or writes.
            at: Positions in its `locations`.
            them: The threads of the earlier accesses.
        """
        unit, writers = self._writers.get(access.event.allocation.number, (0, np.zeros(0, np.int64)))
        if unit != access.unit or not len(writers):
            return np.zeros(len(at), bool)
        earlier = np.isin(self._keys_of(access, at, them), writers)
        if access.kind == READ:
            return earlier & np.isin(self._keys_of(access, at, access.who[at]), writers)
        return earlier & access.leaves_same(at)

    def _keys_of(self, access: RaceAccess, at: Integers, who: Integers) -> Integers:
        return access.locations[at].astype(np.int64) * self._shape.total + who
