"""Group lanes by warp, and by the pass over shared memory that serves them; count the warps that a branch divides."""

import numpy as np

from harness.simt.arrays import Booleans, Integers
from harness.simt.state.lanes import LaneSet
from harness.simt.traffic import group_lanes

__all__ = ["count_divided_warps", "group_by_pass", "warps"]


def warps(lanes: LaneSet) -> tuple[Integers, Integers]:
    """Return the index in a lane set at which each of its warps begins, and how many lanes of that warp are in it."""

    def make() -> tuple[Integers, Integers]:
        starts = np.flatnonzero(np.diff(lanes.get("warp"), prepend=-1))
        return starts, np.diff(starts, append=lanes.n)

    return lanes.cached("warps", make)


def group_by_pass(lanes: LaneSet, size: int) -> tuple[Integers, int]:
    """Return `group_lanes` for lanes that access so many bytes of shared memory each."""
    return lanes.cached(("parts", size), lambda: group_lanes(lanes.get("warp"), lanes.get("lane"), size))


def count_divided_warps(lanes: LaneSet, taken: Booleans) -> int:
    """Return how many warps a branch divides: some of their lanes take the first edge, others do not.

    Args:
        taken: For each lane whether it takes the first edge; (1,) if all agree.
    """
    if len(taken) == 1 or taken.all() or not taken.any():
        return 0
    starts, sizes = warps(lanes)
    chosen = np.add.reduceat(taken, starts, dtype=np.int64)
    return int(np.count_nonzero((chosen > 0) & (chosen < sizes)))
