"""Vector clocks: up to which time each lane knows its warp, block, cluster, and through mbarriers each thread.

They are never more than is true; `harness.simt.observing.race_order` knows the rest.
"""

from collections.abc import Iterator

import numpy as np

from harness.simt.arrays import Integers, distinct
from harness.simt.ir.opcodes import ACQUIRES, RELEASES

__all__ = ["COPY", "SCOPES", "SPACES", "PhaseVectorClocks", "VectorClocks"]

MOST_BYTES = 1 << 26  # of a chunk's known times
SPACES = ("global", "shared")
# The bytes of a copy that arrives at a barrier are seen by all that wait there, whatever their scope.
COPY = 4
SCOPES = {"thread": -1, "warp": 0, "block": 1, "cluster": 2, "device": 3, "system": 3, "copy": COPY}


class VectorClocks:
    """For each lane of a chunk, the times up to which it knows other threads; what is earlier is ordered.

    Attributes:
        warp, block: By space and lane, when the lane last synchronised with all of its group.
        released: By space and lane, when the lane last fenced.
        pending: By space and lane, the time that the lane's next fence acquires.
        phases: How often each lane arrived at its cluster's barrier.
        waited: The phases before this one are ordered.
        relaxed: (cluster, phase) of barriers at which some lanes arrived relaxed.
    """

    def __init__(self, lanes: int) -> None:
        self.warp: dict[str, Integers] = {space: np.zeros(lanes, np.int64) for space in SPACES}
        self.block: dict[str, Integers] = {space: np.zeros(lanes, np.int64) for space in SPACES}
        self.released: dict[str, Integers] = {space: np.zeros(lanes, np.int64) for space in SPACES}
        self.pending: dict[str, Integers] = {space: np.zeros(lanes, np.int64) for space in SPACES}
        self.phases: Integers = np.zeros(lanes, np.int64)
        self.waited: Integers = np.zeros(lanes, np.int64)
        self.relaxed: set[tuple[int, int]] = set()

    def join_block(self, space: str, idx: Integers, time: int) -> None:
        """Note that lanes `idx`, all of some blocks, synchronise: they know what came before `time` in `space`."""
        self.block[space][idx] = time
        self.warp[space][idx] = time

    def join_block_unfenced(self, space: str, idx: Integers, rows: Integers, blocks: int) -> bool:
        """Note that all lanes of some blocks meet at a barrier that orders no memory itself.

        What fences released before it becomes `pending`: the next fence of each lane acquires it.

        Args:
            idx, rows: The lanes, and the block of each.
            blocks: How many blocks the chunk has.

        Returns:
            Whether that is exact: if warps fenced at different times, only what precedes the first fence is known.
        """
        released = self.released[space][idx]
        least = np.full(blocks, np.iinfo(np.int64).max)
        np.minimum.at(least, rows, released)
        self.pending[space][idx] = least[rows]
        return bool((released == least[rows]).all())

    def fence(self, space: str, idx: Integers, ordering: str, time: int) -> None:
        """Note that lanes fence at block scope or wider: if `ordering` acquires, they know up to what is pending.

        If it releases, a barrier that follows passes on what they did before `time`.
        """
        if ordering in ACQUIRES:
            known = self.pending[space][idx]
            for clock in (self.block[space], self.warp[space]):
                clock[idx] = np.maximum(clock[idx], known)
        if ordering in RELEASES:
            self.released[space][idx] = time

    def arrive(self, idx: Integers, clusters: Integers, phases: Integers, relaxed: bool) -> None:
        """Note that lanes arrive at the barrier of their cluster, after `phases` earlier arrivals of each.

        A phase at which a lane arrives `relaxed` orders nothing for its cluster.
        """
        self.phases[idx] = phases + 1
        if relaxed:
            self.relaxed.update(zip(clusters.tolist(), phases.tolist(), strict=True))

    def wait(self, idx: Integers, clusters: Integers, phases: Integers) -> None:
        """Note that lanes leave the barrier of their cluster: `waited` becomes `phases`, how often each has arrived.

        If a lane of the cluster arrived relaxed at that phase, `waited` stays, as the phase orders nothing.
        """
        if self.relaxed:
            pairs = zip(clusters.tolist(), (phases - 1).tolist(), strict=True)
            good = np.array([pair not in self.relaxed for pair in pairs], bool)
            idx, phases = idx[good], phases[good]
        self.waited[idx] = phases


class PhaseVectorClocks:
    """For each lane of a chunk, the times up to which it knows each thread of its block through mbarriers.

    Lanes that waited alike know the same, so their times are stored once, in a row.

    Args:
        lanes: Lanes of the chunk.
        threads: Threads of a block.
    """

    def __init__(self, lanes: int, threads: int) -> None:
        self._threads = threads
        self._rows: Integers = np.zeros((1, threads), np.int64)
        self._row: Integers = np.zeros(lanes, np.int64)
        # By barrier and block: the phase, and the times released by arrivals at it, and at all before it.
        self._released: dict[tuple[int, int], tuple[int, Integers, Integers]] = {}

    def arrive(self, idx: Integers, places: Integers, phases: Integers, time: int) -> None:
        """Note that lanes arrive at mbarriers: they release what they know, and what they did before a time.

        A phase before the last one noted belongs to a new barrier in the same memory: earlier arrivals are forgotten.
        """
        for key, phase, group in self._group_lanes(idx, places, phases):
            nothing = np.zeros(self._threads, np.int64)
            current, released, before = self._released.get(key, (phase, nothing, nothing))
            if current != phase:  # one before that is another barrier's, in the same memory
                released, before = nothing, np.maximum(before, released) if current < phase else nothing
            released = np.maximum(released, self._rows[distinct(self._row[group])].max(0))
            released[group % self._threads] = time
            self._released[key] = phase, released, before

    def wait(self, idx: Integers, places: Integers, phases: Integers) -> None:
        """Note that lanes acquire what was released by arrivals at a phase, which has ended, or before.

        They acquire nothing if lanes have arrived since at a phase that comes two or more later.
        """
        for key, phase, group in self._group_lanes(idx, places, phases):
            if key not in self._released:
                continue
            current, released, before = self._released[key]
            if phase >= current - 1:  # else somebody has come since then
                self._learn(group, np.maximum(before, released) if phase >= current else before)

    def known_times(self, idx: Integers, threads: Integers) -> Integers:
        """Return for each lane the time up to which it knows one thread of its block, 0 if not at all.

        `threads` has the number in the block of that thread, for each lane.
        """
        known: Integers = self._rows[self._row[idx], threads]
        return known

    def _learn(self, lanes: Integers, released: Integers) -> None:
        """Let lanes acquire what was released.

        If the times then take too much memory (`MOST_BYTES`), those that all other lanes know become 0.

        Args:
            released: By thread of the block, the time up to which it is known.
        """
        old_rows, inverse = np.unique(self._row[lanes], return_inverse=True)
        before = len(self._rows)
        rows = np.concatenate((self._rows, np.maximum(self._rows[old_rows], released)))
        self._row[lanes] = before + inverse.reshape(-1)
        if len(distinct(self._row)) * rows[0].nbytes > MOST_BYTES:  # nothing is kept of what the other lanes know
            rows[before - 1], self._row = 0, np.maximum(self._row, before - 1)
        used, inverse = np.unique(self._row, return_inverse=True)  # the other rows are nobody's
        self._rows, self._row = rows[used], inverse.reshape(-1)

    def _group_lanes(
        self, idx: Integers, barriers: Integers, phases: Integers
    ) -> Iterator[tuple[tuple[int, int], int, Integers]]:
        """Yield ((barrier, block), phase, lanes) for each group of lanes that have these in common."""
        keys = np.stack((barriers, idx // self._threads, phases), 1)
        groups, inverse = np.unique(keys, axis=0, return_inverse=True)
        for number, (barrier, block, phase) in enumerate(groups.tolist()):
            yield (barrier, block), phase, idx[inverse.reshape(-1) == number]
