"""What each lane of a chunk knows of its warp, its block and its cluster: enough where all of a group synchronise.

It is never more than is true; `harness.simt.observing.race_order` knows the rest.
"""

from collections.abc import Iterator

import numpy as np

from harness.simt.arrays import Integers, distinct
from harness.simt.ir.opcodes import ACQUIRES, RELEASES

__all__ = ["COPY", "SCOPES", "SPACES", "Clocks", "PhaseClocks"]

MOST_BYTES = 1 << 26  # of what the lanes of a chunk know of each thread
SPACES = ("global", "shared")
# A copy that arrives at a barrier is seen by all that wait there, whatever their scope.
COPY = 4
SCOPES = {"thread": -1, "warp": 0, "block": 1, "cluster": 2, "device": 3, "system": 3, "copy": COPY}


class Clocks:
    """What each lane of a chunk knows, as times; what is earlier is ordered.

    Attributes:
        warp, block: By space and lane, when the lane last met all of its group.
        phases: How often each lane arrived at its cluster's barrier.
        waited: The phases before this one are ordered.
    """

    def __init__(self, lanes: int) -> None:
        self.warp: dict[str, Integers] = {space: np.zeros(lanes, np.int64) for space in SPACES}
        self.block: dict[str, Integers] = {space: np.zeros(lanes, np.int64) for space in SPACES}
        self.released: dict[str, Integers] = {space: np.zeros(lanes, np.int64) for space in SPACES}
        self.pending: dict[str, Integers] = {space: np.zeros(lanes, np.int64) for space in SPACES}
        self.phases: Integers = np.zeros(lanes, np.int64)
        self.waited: Integers = np.zeros(lanes, np.int64)
        self.relaxed: set[tuple[int, int]] = set()

    def meet_block(self, space: str, idx: Integers, time: int) -> None:
        """All of some blocks meet at a barrier."""
        self.block[space][idx] = time
        self.warp[space][idx] = time

    def meet_unfenced(self, space: str, idx: Integers, rows: Integers, blocks: int) -> bool:
        """All of some blocks meet; what they fenced before may be acquired.

        Returns:
            Whether that is all: where warps fenced at different times, only what happened before the first is known.
        """
        released = self.released[space][idx]
        least = np.full(blocks, np.iinfo(np.int64).max)
        np.minimum.at(least, rows, released)
        self.pending[space][idx] = least[rows]
        return bool((released == least[rows]).all())

    def fence(self, space: str, idx: Integers, ordering: str, time: int) -> None:
        """Lanes fence at the scope of a block or wider."""
        if ordering in ACQUIRES:
            known = self.pending[space][idx]
            for clock in (self.block[space], self.warp[space]):
                clock[idx] = np.maximum(clock[idx], known)
        if ordering in RELEASES:
            self.released[space][idx] = time

    def arrive(self, idx: Integers, clusters: Integers, phases: Integers, relaxed: bool) -> None:
        """Lanes arrive at the barrier of their cluster."""
        self.phases[idx] = phases + 1
        if relaxed:
            self.relaxed.update(zip(clusters.tolist(), phases.tolist(), strict=True))

    def wait(self, idx: Integers, clusters: Integers, phases: Integers) -> None:
        """Lanes leave the barrier of their cluster that they arrived at."""
        if self.relaxed:
            pairs = zip(clusters.tolist(), (phases - 1).tolist(), strict=True)
            good = np.array([pair not in self.relaxed for pair in pairs], bool)
            idx, phases = idx[good], phases[good]
        self.waited[idx] = phases


class PhaseClocks:
    """What each lane of a chunk knows of each thread of its block through barriers in shared memory, as times.

    Lanes that waited alike know the same, so what they know is kept once, in a row.

    Args:
        lanes: Of the chunk.
        threads: Of a block.
    """

    def __init__(self, lanes: int, threads: int) -> None:
        self._threads = threads
        self._rows: Integers = np.zeros((1, threads), np.int64)
        self._row: Integers = np.zeros(lanes, np.int64)
        # By barrier and block: the phase, who came to it knows this, and who came to all before, this.
        self._told: dict[tuple[int, int], tuple[int, Integers, Integers]] = {}

    def arrive(self, idx: Integers, places: Integers, phases: Integers, time: int) -> None:
        """Lanes release what they know, and what they did before a time, to those who wait for the end of a phase."""
        for key, phase, here in self._alike(idx, places, phases):
            nothing = np.zeros(self._threads, np.int64)
            now, told, before = self._told.get(key, (phase, nothing, nothing))
            if now != phase:  # one before that is another barrier's, in the same memory
                told, before = nothing, np.maximum(before, told) if now < phase else nothing
            told = np.maximum(told, self._rows[distinct(self._row[here])].max(0))
            told[here % self._threads] = time
            self._told[key] = phase, told, before

    def wait(self, idx: Integers, places: Integers, phases: Integers) -> None:
        """Lanes acquire what those released who arrived at a phase, which has ended, or before."""
        for key, phase, here in self._alike(idx, places, phases):
            if key not in self._told:
                continue
            now, told, before = self._told[key]
            if phase >= now - 1:  # else somebody has come since then
                self._learn(here, np.maximum(before, told) if phase >= now else before)

    def of(self, idx: Integers, threads: Integers) -> Integers:
        """Up to when lanes know what threads of their block did."""
        known: Integers = self._rows[self._row[idx], threads]
        return known

    def _learn(self, lanes: Integers, told: Integers) -> None:
        each, inverse = np.unique(self._row[lanes], return_inverse=True)
        before = len(self._rows)
        rows = np.concatenate((self._rows, np.maximum(self._rows[each], told)))
        self._row[lanes] = before + inverse.reshape(-1)
        if len(distinct(self._row)) * rows[0].nbytes > MOST_BYTES:  # nothing is kept of what the other lanes know
            rows[before - 1], self._row = 0, np.maximum(self._row, before - 1)
        kept, inverse = np.unique(self._row, return_inverse=True)  # the other rows are nobody's
        self._rows, self._row = rows[kept], inverse.reshape(-1)

    def _alike(
        self, idx: Integers, places: Integers, phases: Integers
    ) -> Iterator[tuple[tuple[int, int], int, Integers]]:
        """The lanes of each block at each barrier and phase."""
        keys = np.stack((places, idx // self._threads, phases), 1)
        each, inverse = np.unique(keys, axis=0, return_inverse=True)
        for number, (place, block, phase) in enumerate(each.tolist()):
            yield (place, block), phase, idx[inverse.reshape(-1) == number]
