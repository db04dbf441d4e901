"""The lanes of a chunk: who runs next, who waits, who has ended."""

import numpy as np

from harness.simt.arrays import Array, Integers
from harness.simt.state.lanes import Geometry, LaneSet
from harness.simt.state.live import Live
from harness.simt.state.merge import Entries, Values, equal

__all__ = ["Chunk", "ClusterArrivals", "Sleep", "State"]


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
