"""Which warps the lanes of a set are in."""

import numpy as np

from harness.simt.arrays import Integers
from harness.simt.state.lanes import LaneSet

__all__ = ["warps"]


def warps(lanes: LaneSet) -> tuple[Integers, Integers]:
    """Where each warp begins in a lane set, and how many lanes of it are there."""
    found: tuple[Integers, Integers] | None = lanes.cache.get("warps")
    if found is None:
        warp = lanes.get("warp")
        starts = np.flatnonzero(np.diff(warp, prepend=-1))
        found = lanes.cache["warps"] = starts, np.diff(starts, append=lanes.n)
    return found
