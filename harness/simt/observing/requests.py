"""In which warps lanes are, and which of them are served together."""

import numpy as np

from harness.simt.arrays import Booleans, Integers
from harness.simt.state.lanes import LaneSet
from harness.simt.traffic import parts

__all__ = ["parted", "served", "warps"]


def warps(lanes: LaneSet) -> tuple[Integers, Integers]:
    """Where each warp begins in a lane set, and how many lanes of it are there."""
    found: tuple[Integers, Integers] | None = lanes.cache.get("warps")
    if found is None:
        warp = lanes.get("warp")
        starts = np.flatnonzero(np.diff(warp, prepend=-1))
        found = lanes.cache["warps"] = starts, np.diff(starts, append=lanes.n)
    return found


def served(lanes: LaneSet, size: int) -> tuple[Integers, int]:
    """What `parts` says of lanes that access so many bytes of shared memory each."""
    key = "parts", size
    found: tuple[Integers, int] | None = lanes.cache.get(key)
    if found is None:
        found = lanes.cache[key] = parts(lanes.get("warp"), lanes.get("lane"), size)
    return found


def parted(lanes: LaneSet, taken: Booleans) -> int:
    """How many warps a branch divides, of which some of the lanes take the first way."""
    if len(taken) == 1 or taken.all() or not taken.any():
        return 0
    starts, sizes = warps(lanes)
    chosen = np.add.reduceat(taken, starts, dtype=np.int64)
    return int(np.count_nonzero((chosen > 0) & (chosen < sizes)))
