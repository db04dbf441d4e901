"""Whether what threads do to the bytes of a copy in flight is the same in every order of the threads.

Between its beginning and its end nobody may use what a copy writes, nor change what it reads: `Asynchronous` reports
that. It does not see what came just before the beginning, or comes just after the end, and in another order of the
threads would come in between. `Races` has the copy as a load when it begins, and as a store when it ends: what nothing
orders with these it reports. What is left, in one block and between the same two of its barriers:

- another thread uses what a copy writes, and then that copy begins;
- a copy ends, and then another thread changes what it read.

Where neither happens, barriers alone decide what meets a copy in flight, in this order of the threads as in any other.
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

_BLOCK = 40  # from this bit on an interval has the number of its block
_SEVERAL = -1  # in the place of a lane: there are others


class CopyOrder:
    """What a launch does to bytes that are copied, by the barrier interval in which it does.

    Attributes:
        holds: Whether no order of the threads does otherwise, as far as was seen.
    """

    def __init__(self) -> None:
        self.holds = True

    def begin_chunk(self, geometry: Geometry) -> None:
        """Blocks begin, of which no thread has done anything."""
        self._threads = geometry.threads
        self._intervals: Integers = np.arange(1, len(geometry.blocks) + 1, dtype=np.int64) << _BLOCK
        self._used: dict[int, _Latest] = {}  # by allocation: the accesses
        self._read: dict[int, _Latest] = {}  # the same of the ends of copies that read it

    def pass_barrier(self, event: BarrierEvent) -> None:
        """Blocks pass a barrier; one of a part of a block, `Races` knows, leaves the order open anyway."""
        if set(SPACES) <= set(event.memory):
            self._intervals[event.rows] += 1

    def begin_copy(self, event: CopyEvent, *, is_simple: bool) -> None:
        """Lanes begin to copy.

        Args:
            is_simple: Whether they wait for it themselves, and it goes the way of their loads and stores.
        """
        self.holds &= is_simple and not event.product
        if not self.holds:
            return
        for accessed in event.places:
            lanes, octets = event.lanes.idx[accessed.positions], accessed.starts[:, None] + np.arange(accessed.size)
            if accessed.role == "source":
                _latest(self._read, accessed.allocation)
            elif accessed.allocation.rows != "block":
                self.holds = False  # of global memory it is not noted who uses it
            else:
                used = _latest(self._used, accessed.allocation)
                self.holds &= not used.has_others(octets, self._of(lanes), lanes)

    def end_reading(self, allocation: int, lanes: Integers, octets: Integers) -> None:
        """Copies of some lanes have ended: what they read may change."""
        if self.holds and len(lanes):
            self._read[allocation].add(octets, self._of(lanes), lanes)

    def access(self, event: AccessEvent) -> None:
        """Lanes use memory."""
        allocation = event.allocation
        is_shared, read = allocation.rows == "block", self._read.get(allocation.number)
        changes = read is not None and event.kind != "load"
        if not self.holds or not (is_shared or changes):
            return
        lanes, octets = event.lanes.idx, event.starts[:, None] + np.arange(event.size)
        now = self._of(lanes)
        if changes and read is not None:
            self.holds = not read.has_others(octets, now, lanes)
        if is_shared:
            _latest(self._used, allocation).add(octets, now, lanes)

    def _of(self, lanes: Integers) -> Integers:
        """Return the interval that lanes are in."""
        intervals: Integers = self._intervals[lanes // self._threads]
        return intervals


class _Latest:
    """Of each byte of an allocation the last interval in which something was done to it, and by which lane.

    Args:
        size: How many bytes there are.
    """

    def __init__(self, size: int) -> None:
        self._intervals: Integers = np.zeros(size, np.int64)
        self._lanes: Integers = np.full(size, _SEVERAL, np.int64)

    def has_others(self, octets: Integers, now: Integers, lanes: Integers) -> bool:
        """Return whether another lane did it in the interval in which lanes come to bytes, (n, bytes) for each."""
        return bool(self._others(octets, now[:, None], lanes[:, None]).any())

    def add(self, octets: Integers, now: Integers, lanes: Integers) -> None:
        """Note that lanes do it."""
        now, lanes = now[:, None], lanes[:, None]
        others = self._others(octets, now, lanes)
        self._intervals[octets], self._lanes[octets] = now, lanes
        others |= self._lanes[octets] != lanes  # of those that do it at once, one is kept
        self._lanes[octets[others]] = _SEVERAL

    def _others(self, octets: Integers, now: Integers, lanes: Integers) -> Booleans:
        others: Booleans = (self._intervals[octets] == now) & (self._lanes[octets] != lanes)
        return others


def _latest(tables: dict[int, _Latest], allocation: "Allocation") -> _Latest:
    latest = tables.get(allocation.number)
    if latest is None:
        latest = tables[allocation.number] = _Latest(len(allocation.data))
    return latest
