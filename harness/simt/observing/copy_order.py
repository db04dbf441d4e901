"""Decide whether other orders of threads could change what copies in flight move; `asynchronous` reports misuse.

Between its beginning and its end nobody may use what a copy writes, nor change what it reads: `Asynchronous` reports
that. It does not see accesses just before the beginning or just after the end that another order of the
threads would move in between. `RaceDetector` treats the copy as a load when it begins, and as a store when it ends: it
reports accesses that nothing orders with these. What remains, in one block and one barrier interval:

- another thread uses what a copy writes, and then that copy begins;
- a copy ends, and then another thread changes what it read.

If neither happens, barriers alone decide what meets a copy in flight, in this order of the threads as in any other.
"""

from typing import TYPE_CHECKING

import numpy as np

from harness.simt.arrays import Booleans, Integers
from harness.simt.events import AccessEvent, BarrierEvent, CopyEvent
from harness.simt.observing.race_clocks import SPACES
from harness.simt.state.lanes import Geometry

if TYPE_CHECKING:
    from harness.simt.state.allocation import Allocation

__all__ = ["CopyOrder"]

_BLOCK = 40  # the number of the block begins at this bit of an interval
_SEVERAL = -1  # instead of a lane: several lanes


class CopyOrder:
    """The use of copied bytes in a launch, by barrier interval.

    Attributes:
        holds: Whether every order of the threads gives the same, as far as was seen.
    """

    def __init__(self) -> None:
        self.holds = True

    def begin_chunk(self, geometry: Geometry) -> None:
        """Forget all accesses and reads of copies, and begin an interval in each block of a chunk; `holds` stays."""
        self._threads = geometry.threads
        self._intervals: Integers = np.arange(1, len(geometry.blocks) + 1, dtype=np.int64) << _BLOCK
        self._used: dict[int, _Latest] = {}  # by allocation: the accesses
        self._read: dict[int, _Latest] = {}  # the same of the ends of copies that read it

    def pass_barrier(self, event: BarrierEvent) -> None:
        """Begin a new barrier interval in the blocks that pass, if the barrier orders both global and shared memory.

        A barrier for a part of a block needs nothing here: `RaceDetector` then says that the order matters.
        """
        if set(SPACES) <= set(event.memory):
            self._intervals[event.rows] += 1

    def begin_copy(self, event: CopyEvent, *, is_simple: bool) -> None:
        """Clear `holds` if a copy begins whose target another thread used in the same barrier interval.

        `holds` is also cleared if the copy is a matrix product, is not simple, or writes to other than shared memory.
        Else `access` checks stores to the copy's sources from now on. Nothing happens if `holds` is False already.

        Args:
            is_simple: Whether the lanes wait for it themselves, and it uses the same proxy as their loads and stores.
        """
        self.holds &= is_simple and not event.product
        if not self.holds:
            return
        for accessed in event.places:
            lanes, octets = event.lanes.idx[accessed.positions], accessed.starts[:, None] + np.arange(accessed.size)
            if accessed.role == "source":
                _latest_of(self._read, accessed.allocation)
            elif accessed.allocation.rows != "block":
                self.holds = False  # accesses to global memory are not noted
            else:
                used = _latest_of(self._used, accessed.allocation)
                self.holds &= not used.has_others(octets, self._intervals_of(lanes), lanes)

    def end_reading(self, allocation: int, lanes: Integers, octets: Integers) -> None:
        """Note that lanes' copies have read these bytes, (lanes, bytes), which may change from now on."""
        if self.holds and len(lanes):
            self._read[allocation].add(octets, self._intervals_of(lanes), lanes)

    def access(self, event: AccessEvent) -> None:
        """Note an access to shared memory for `begin_copy`; clear `holds` if the access changes what a copy just read.

        That is so if a copy of another thread ended reading these bytes in the same barrier interval, be they shared or
        global. Loads never clear `holds`. Once `holds` is cleared, nothing is noted.
        """
        allocation = event.allocation
        is_shared, read = allocation.rows == "block", self._read.get(allocation.number)
        changes = read is not None and event.kind != "load"
        if not self.holds or not (is_shared or changes):
            return
        lanes, octets = event.lanes.idx, event.starts[:, None] + np.arange(event.size)
        now = self._intervals_of(lanes)
        if changes and read is not None:
            self.holds = not read.has_others(octets, now, lanes)
        if is_shared:
            _latest_of(self._used, allocation).add(octets, now, lanes)

    def _intervals_of(self, lanes: Integers) -> Integers:
        """Return the barrier interval that each lane of the chunk is in: a number that no two blocks share."""
        intervals: Integers = self._intervals[lanes // self._threads]
        return intervals


class _Latest:
    """For each byte of an allocation, the last interval in which a lane did something to it, and that lane.

    Args:
        size: Bytes of the allocation.
    """

    def __init__(self, size: int) -> None:
        self._intervals: Integers = np.zeros(size, np.int64)
        self._lanes: Integers = np.full(size, _SEVERAL, np.int64)

    def has_others(self, octets: Integers, now: Integers, lanes: Integers) -> bool:
        """Return whether another lane did it to some of the bytes, (lanes, bytes), in each lane's current interval."""
        return bool(self._others(octets, now[:, None], lanes[:, None]).any())

    def add(self, octets: Integers, now: Integers, lanes: Integers) -> None:
        """Store each lane, and its current interval (`now`), as the last at its bytes.

        If other lanes came to a byte in the same interval, in this call or before, `_SEVERAL` is stored for the lane.

        Args:
            octets: The indices of each lane's bytes in the allocation, (lanes, bytes).
        """
        now, lanes = now[:, None], lanes[:, None]
        others = self._others(octets, now, lanes)
        self._intervals[octets], self._lanes[octets] = now, lanes
        others |= self._lanes[octets] != lanes  # several lanes at once: one of them was stored
        self._lanes[octets[others]] = _SEVERAL

    def _others(self, octets: Integers, now: Integers, lanes: Integers) -> Booleans:
        others: Booleans = (self._intervals[octets] == now) & (self._lanes[octets] != lanes)
        return others


def _latest_of(tables: dict[int, _Latest], allocation: "Allocation") -> _Latest:
    latest = tables.get(allocation.number)
    if latest is None:
        latest = tables[allocation.number] = _Latest(len(allocation.data))
    return latest
