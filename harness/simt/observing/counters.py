"""What a launch did, in numbers.

`Counters` gathers them while lanes run; `figures` has those that are derived
from which thread and block touched which element. An element is as wide as the
narrowest access to its buffer. Counted are accesses to global and shared
memory; parameters and constants are not.

For each kernel, all threads together: `instructions`, `global_loads`,
`global_stores`, `shared_loads`, `shared_stores` (elements; an atomic is both),
the same with `_bytes`, `shuffles`, `barriers`, `cluster_barriers` (once for each
thread), `divergent_branches` (once for each warp that a branch divides),
`bank_conflicts` (passes over shared memory beyond the first, 32 banks of 4
bytes, 128 bytes at a time), `global_transactions` (32-byte sectors that a warp
touches, access by access) and `coalescing` (bytes asked for / bytes of these
sectors; above 1 when lanes share an element).
`..._per_thread`: the most that one thread did.
"""

import numpy as np

from harness.simt.arrays import Integers
from harness.simt.events import AccessEvent, BarrierEvent, BranchEvent, SegmentEvent, ShuffleEvent
from harness.simt.observe import Observer, RunningLaunch
from harness.simt.observing.counted import BY_THREAD, TOTALS
from harness.simt.observing.dataflow_counters import Figures
from harness.simt.state.lanes import Geometry, LaneSet

__all__ = ["Counters"]

BANKS, WORD, SECTOR = 32, 4, 32
PASS_BYTES = BANKS * WORD


class _PerThread:
    """A count for each thread of a chunk; what all threads share is one number."""

    def __init__(self, threads: int) -> None:
        self.all = 0
        self.own: Integers = np.zeros(threads, np.int64)

    def add(self, lanes: LaneSet, amount: int) -> None:
        """Each of the lanes did so much more."""
        if lanes.parent is None:
            self.all += amount
        else:
            self.own[lanes.idx] += amount


class Counters(Observer):
    """Puts its numbers into the launch's `counters`."""

    def launch_begin(self, engine: RunningLaunch) -> None:
        """See `Observer`."""
        self.engine = engine
        self.totals = dict.fromkeys((*BY_THREAD, "cluster_barriers", *TOTALS), 0)
        self.most = dict.fromkeys((*BY_THREAD, "cluster_barriers"), 0)
        self._asked_bytes = 0
        self.figures = Figures(engine)

    def chunk_begin(self, geometry: Geometry) -> None:
        """See `Observer`."""
        self._by_thread = {name: _PerThread(geometry.lanes) for name in BY_THREAD}
        self.figures.chunk_begin(geometry)

    def chunk_end(self, geometry: Geometry) -> None:
        """See `Observer`."""
        for name, count in self._by_thread.items():
            self.most[name] = max(self.most[name], count.all + int(count.own.max()))
            self.totals[name] += count.all * geometry.lanes + int(count.own.sum())
        waits = self.engine.chunk.cluster.waited
        self.totals["cluster_barriers"] += int(waits.sum())
        self.most["cluster_barriers"] = max(self.most["cluster_barriers"], int(waits.max()))
        self.figures.chunk_end()

    def segment(self, event: SegmentEvent) -> None:
        """See `Observer`."""
        # The branch at the end is an instruction too.
        self._by_thread["instructions"].add(event.lanes, event.instructions + 1)

    def access(self, event: AccessEvent) -> None:
        """See `Observer`."""
        space = event.allocation.space
        if space not in ("global", "shared"):
            return
        vector = event.values.shape[1] if event.values.ndim > 1 else 1
        kinds = ("load", "store") if event.kind == "atomic" else (event.kind,)
        for kind in kinds:
            self._by_thread[f"{space}_{kind}s"].add(event.lanes, vector)
            self.totals[f"{space}_{kind}_bytes"] += event.lanes.n * event.size
        if space == "global":
            self._asked_bytes += event.lanes.n * event.size
            self.totals["global_transactions"] += _sectors(event)
        elif len(event.offsets) > 1:
            self.totals["bank_conflicts"] += _bank_conflicts(event)
        self.figures.access(event, max(1, event.size // vector))

    def shuffle(self, event: ShuffleEvent) -> None:
        """See `Observer`."""
        if event.sources is not None:
            self._by_thread["shuffles"].add(event.lanes, 1)

    def barrier(self, event: BarrierEvent) -> None:
        """See `Observer`."""
        for _, lanes in event.groups:
            self._by_thread["barriers"].add(lanes, 1)
        self.figures.barrier(event)

    def branch(self, event: BranchEvent) -> None:
        """See `Observer`."""
        taken = event.taken
        if len(taken) == 1 or taken.all() or not taken.any():
            return
        starts, sizes = _warps(event.lanes)
        chosen = np.add.reduceat(taken, starts, dtype=np.int64)
        divided = np.count_nonzero((chosen > 0) & (chosen < sizes))
        self.totals["divergent_branches"] += int(divided)

    def launch_end(self, engine: RunningLaunch) -> None:
        """See `Observer`."""
        counters = engine.observation.counters
        counters.update(self.totals)
        counters.update({f"{name}_per_thread": most for name, most in self.most.items()})
        counters["shuffles_per_lane"] = self.most["shuffles"]
        moved = SECTOR * self.totals["global_transactions"]
        counters["coalescing"] = round(self._asked_bytes / moved, 4) if moved else None
        counters.update(self.figures.result())


def _warps(lanes: LaneSet) -> tuple[Integers, Integers]:
    """Where each warp begins in a lane set, and how many lanes of it are there."""
    warps: tuple[Integers, Integers] | None = lanes.cache.get("warps")
    if warps is None:
        warp = lanes.get("warp")
        starts = np.flatnonzero(np.diff(warp, prepend=-1))
        warps = lanes.cache["warps"] = starts, np.diff(starts, append=lanes.n)
    return warps


def _sectors(event: AccessEvent) -> int:
    """How many 32-byte sectors the warps touch."""
    lanes = event.lanes
    starts, _ = _warps(lanes)
    first = event.offsets // SECTOR
    last = (event.offsets + event.size - 1) // SECTOR
    if len(first) == 1:
        return len(starts) * int(last[0] - first[0] + 1)
    parts = [first + step for step in range(int((last - first).max()) + 1)]
    warp = lanes.get("warp")
    if len(parts) == 1:
        key = warp * (1 << 40) + first
    else:
        inside = np.concatenate([part <= last for part in parts])
        key = np.concatenate([warp * (1 << 40) + part for part in parts])[inside]
        key.sort()
    steps = np.diff(key)
    if (steps < 0).any():
        key.sort()
        steps = np.diff(key)
    return 1 + int(np.count_nonzero(steps))


def _bank_conflicts(event: AccessEvent) -> int:
    """How many further passes the banks need, 128 bytes of a warp at a time."""
    lanes, size = event.lanes, event.size
    words = (event.offsets + event.rows * event.allocation.stride) // WORD
    part = lanes.get("warp") * lanes.geometry.warp + lanes.get("lane") * size // PASS_BYTES
    count = max(1, size // WORD)
    if count > 1:
        words = (words[:, None] + np.arange(count)).reshape(-1)
        part = np.repeat(part, count)
    part = part - part[0]
    slot = part * BANKS + words % BANKS
    table = np.empty(int(part.max() + 1) * BANKS, np.int64)
    table[slot] = words
    if (table[slot] == words).all():
        return 0
    distinct = np.unique(np.stack((slot, words), 1), axis=0)[:, 0]
    depth = np.bincount(distinct, minlength=len(table)).reshape(-1, BANKS).max(1)
    return int(np.maximum(depth - 1, 0).sum())
