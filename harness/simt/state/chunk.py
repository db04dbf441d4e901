"""The lanes of a chunk: scheduled, parked, asleep, live; absent members of warp masks; cluster arrivals."""

import numpy as np

from harness.simt.arrays import Array, Booleans, Integers
from harness.simt.state.lanes import Geometry, LaneSet
from harness.simt.state.merge import Entries, Values, equal

__all__ = ["Chunk", "ClusterArrivals", "LiveLanes", "LoopState", "Sleep"]


class LiveLanes:
    """The lanes that have not ended.

    Attributes:
        mask: Whether each lane of the chunk is live.
        count: How many live lanes there are.
    """

    def __init__(self, geometry: Geometry) -> None:
        self._geometry = geometry
        self.mask: Booleans = np.ones(geometry.lanes, bool)
        self.count = geometry.lanes

    def end(self, lanes: LaneSet) -> None:
        """Clear lanes in `mask` and subtract them from `count`; that they are live is not checked."""
        self.count -= lanes.n
        if self.count:
            self.mask[lanes.idx] = False
        else:
            self.mask[:] = False

    def by_block(self) -> Booleans:
        """Return the mask as (blocks, threads)."""
        return self.mask.reshape(len(self._geometry.blocks), -1)

    def missing_members(self, lanes: LaneSet, masks: Array | None) -> Booleans | None:
        """Find the lanes that are live, but not in `lanes`, although the mask of a lane in its warp names them.

        Args:
            lanes: The lanes that have arrived.
            masks: The member mask of each, (n,) or (1,); None names the whole warp.

        Returns:
            Booleans (n, width of a warp), True where the lane of the row misses the lane of the column; None if no
            lane is missing.
        """
        is_absent = self.mask.copy()
        is_absent[lanes.idx] = False
        return self._select_members(is_absent, lanes, masks)

    def ended_members(self, lanes: LaneSet, masks: Array) -> Booleans | None:
        """Return for each lane which lanes of its warp its mask names that have ended; as `missing_members`."""
        return self._select_members(~self.mask, lanes, masks)

    def _select_members(self, candidates: Booleans, lanes: LaneSet, masks: Array | None) -> Booleans | None:
        """Return for each lane which candidates are in its warp and named by its mask: booleans (n, width of a warp).

        None if no lane has any.

        Args:
            candidates: For each lane of the chunk.
            masks: (n,) or (1,); None, or the single mask -1, names the whole warp.
        """
        if not candidates.any():
            return None
        geometry = self._geometry
        slots = np.zeros(geometry.slots, bool)
        slots[geometry.value("slot")] = candidates
        selected: Booleans = slots.reshape(-1, geometry.warp)[lanes.get("warp")]
        if masks is not None and not (len(masks) == 1 and masks[0] == -1):
            bits: Integers = masks.astype(np.int64)[:, None] >> np.arange(geometry.warp) & 1
            selected = selected & (bits != 0)
        return selected if selected.any() else None


class ClusterArrivals:
    """For each lane, how often it arrived at the barrier of its cluster, and how often it waited there."""

    def __init__(self, lanes: int) -> None:
        self.arrived: Integers = np.zeros(lanes, np.int64)
        self.waited: Integers = np.zeros(lanes, np.int64)


class LoopState:
    """Lanes that come to a segment, with all values that they still need; equal if a loop has not changed anything."""

    def __init__(self, segment: int, entries: Entries, values: list[Array | None]) -> None:
        self.segment, self.entries = segment, entries
        self._compared = [*values, *(lanes.idx for lanes, _ in entries)]

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, LoopState)
            and self.segment == other.segment
            and len(self.entries) == len(other.entries)
            and all(map(equal, self._compared, other._compared))
        )


class Sleep:
    """Lanes that would spin until something changes.

    Attributes:
        state: The segment that they are at, and which lanes they are.
        inputs: Counters of everything that could make them do something else.
        until: The step before which they sleep, unless nothing else can run.
    """

    def __init__(self, state: LoopState, inputs: tuple[int, ...], until: int) -> None:
        self.state, self.inputs, self.until = state, inputs, until


class Chunk:
    """The state of the lanes that run side by side.

    Attributes:
        geometry: Where they are in the grid.
        root: The set of all lanes.
        live: The lanes that have not ended.
        work: Segment number to the lanes that run it next, with the values of its
            phis, or `PASSED` if they have passed its gate.
        parked: Segment number to lanes that wait at its gate.
        asleep: Lanes that would spin.
        signals: Counts what lanes signal to one another other than through memory.
        cluster: The arrivals at the cluster's barrier.
    """

    def __init__(self, geometry: Geometry) -> None:
        self.geometry, self.root = geometry, geometry.root
        self.live = LiveLanes(geometry)
        self.work: dict[int, Entries] = {0: [(self.root, ())]}
        self.parked: dict[int, list[LaneSet]] = {}
        self.asleep: list[Sleep] = []
        self.signals = 0
        self.cluster = ClusterArrivals(geometry.lanes)

    def push(self, target: int, lanes: LaneSet, values: Values) -> None:
        """Schedule lanes to run a segment next."""
        self.work.setdefault(target, []).append((lanes, values))

    def park(self, segment: int, lanes: LaneSet) -> None:
        """Add lanes to `parked`: they wait at a segment's gate, a synchronisation before its code; count a signal."""
        self.parked.setdefault(segment, []).append(lanes)
        self.signals += 1
