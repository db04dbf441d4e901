"""The lanes of a chunk: who runs next, who waits, who has ended."""

import numpy as np

from harness.simt.arrays import Integers
from harness.simt.state.lanes import Geometry, LaneSet
from harness.simt.state.live import Live
from harness.simt.state.merge import Entries, Values

__all__ = ["Chunk", "ClusterArrivals"]


class ClusterArrivals:
    """How often each lane arrived at the barrier of its cluster, and how often it waited there."""

    def __init__(self, lanes: int) -> None:
        self.arrived: Integers = np.zeros(lanes, np.int64)
        self.waited: Integers = np.zeros(lanes, np.int64)


class Chunk:
    """The state of the lanes that run side by side.

    Attributes:
        geometry: Where they are, with `root`, the set of all.
        live: Those that have not ended.
        work: Segment number to the lanes that run it next, with the values of its
            phis, or `PASSED` for a gate they are through.
        parked: Segment number to lanes that wait at its gate.
        cluster: Who came to the cluster's barrier.
    """

    def __init__(self, geometry: Geometry) -> None:
        self.geometry, self.root = geometry, geometry.root
        self.live = Live(geometry)
        self.work: dict[int, Entries] = {0: [(self.root, ())]}
        self.parked: dict[int, list[LaneSet]] = {}
        self.cluster = ClusterArrivals(geometry.lanes)

    def push(self, target: int, lanes: LaneSet, values: Values) -> None:
        """Lets lanes go on at a segment."""
        entries = self.work.get(target)
        if entries is None:
            self.work[target] = [(lanes, values)]
        else:
            entries.append((lanes, values))

    def park(self, segment: int, lanes: LaneSet) -> None:
        """Leaves lanes waiting at the gate of a segment."""
        self.parked.setdefault(segment, []).append(lanes)
