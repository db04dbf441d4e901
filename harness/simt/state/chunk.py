"""The lanes of a chunk: who runs next, who waits, who has ended."""

import numpy as np

from harness.simt.arrays import Array, Booleans, Integers
from harness.simt.state.lanes import Geometry, LaneSet
from harness.simt.state.merge import Entries, Values, equal

__all__ = ["Chunk", "ClusterArrivals", "Live", "Sleep", "State"]


class Live:
    """The lanes that have not ended.

    Attributes:
        mask: Whether each lane of the chunk is one of them.
        count: How many they are.
    """

    def __init__(self, geometry: Geometry) -> None:
        self._geometry = geometry
        self.mask: Booleans = np.ones(geometry.lanes, bool)
        self.count = geometry.lanes

    def end(self, lanes: LaneSet) -> None:
        """Some lanes end."""
        self.count -= lanes.n
        if self.count:
            self.mask[lanes.idx] = False
        else:
            self.mask[:] = False

    def by_block(self) -> Booleans:
        """The mask as (blocks, threads)."""
        return self.mask.reshape(len(self._geometry.blocks), -1)

    def missing_members(self, lanes: LaneSet, masks: Array | None) -> Booleans | None:
        """For each lane, which lanes of its warp are named, live and not among these.

        Args:
            masks: The member masks; None names the whole warp.

        Returns:
            Booleans (lanes, width), or None when nobody is missing.
        """
        away = self.mask.copy()
        away[lanes.idx] = False
        return self._named(away, lanes, masks)

    def ended_members(self, lanes: LaneSet, masks: Array) -> Booleans | None:
        """For each lane, which lanes of its warp are named and have ended; as `missing_members`."""
        return self._named(~self.mask, lanes, masks)

    def _named(self, away: Booleans, lanes: LaneSet, masks: Array | None) -> Booleans | None:
        """For each lane, which of some lanes of its warp are named."""
        if not away.any():
            return None
        geometry = self._geometry
        slots = np.zeros(geometry.slots, bool)
        slots[geometry.value("slot")] = away
        missing: Booleans = slots.reshape(-1, geometry.warp)[lanes.get("warp")]
        if masks is not None and not (len(masks) == 1 and masks[0] == -1):
            bits: Integers = masks.astype(np.int64)[:, None] >> np.arange(geometry.warp) & 1
            missing = missing & (bits != 0)
        return missing if missing.any() else None


class ClusterArrivals:
    """How often each lane arrived at the barrier of its cluster, and how often it waited there."""

    def __init__(self, lanes: int) -> None:
        self.arrived: Integers = np.zeros(lanes, np.int64)
        self.waited: Integers = np.zeros(lanes, np.int64)


class State:
    """Some lanes that come to a segment, with all values that they still need."""

    def __init__(self, segment: int, entries: Entries, values: list[Array | None]) -> None:
        self.segment, self.entries = segment, entries
        self._compared = [*values, *(lanes.idx for lanes, _ in entries)]

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, State)
            and self.segment == other.segment
            and len(self.entries) == len(other.entries)
            and all(map(equal, self._compared, other._compared))
        )


class Sleep:
    """Lanes that would spin until something changes.

    Attributes:
        state: The segment that they are at, and who they are.
        inputs: What would have to change for them to do something else.
        until: The step before which they sleep on unless nothing else can run.
    """

    def __init__(self, state: State, inputs: tuple[int, ...], until: int) -> None:
        self.state, self.inputs, self.until = state, inputs, until


class Chunk:
    """The state of the lanes that run side by side.

    Attributes:
        geometry: Where they are, with `root`, the set of all.
        live: Those that have not ended.
        work: Segment number to the lanes that run it next, with the values of its
            phis, or `PASSED` for a gate they are through.
        parked: Segment number to lanes that wait at its gate.
        asleep: Lanes that would spin.
        signals: Counts what lanes tell one another otherwise than through memory.
        cluster: Who came to the cluster's barrier.
    """

    def __init__(self, geometry: Geometry) -> None:
        self.geometry, self.root = geometry, geometry.root
        self.live = Live(geometry)
        self.work: dict[int, Entries] = {0: [(self.root, ())]}
        self.parked: dict[int, list[LaneSet]] = {}
        self.asleep: list[Sleep] = []
        self.signals = 0
        self.cluster = ClusterArrivals(geometry.lanes)

    def push(self, target: int, lanes: LaneSet, values: Values) -> None:
        """Lets lanes go on at a segment."""
        self.work.setdefault(target, []).append((lanes, values))

    def park(self, segment: int, lanes: LaneSet) -> None:
        """Leaves lanes waiting at the gate of a segment."""
        self.parked.setdefault(segment, []).append(lanes)
        self.signals += 1
