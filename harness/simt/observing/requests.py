"""In which warps lanes are, and which of them are served together."""

import numpy as np

from harness.simt.arrays import Booleans, Integers
from harness.simt.state.lanes import LaneSet
from harness.simt.traffic import parts

__all__ = ["parted", "served", "warps"]


def warps(lanes: LaneSet) -> tuple[Integers, Integers]:
    """Where each warp begins in a lane set, and how many lanes of it are there."""

    def make() -> tuple[Integers, Integers]:
        starts = np.flatnonzero(np.diff(lanes.get("warp"), prepend=-1))
        return starts, np.diff(starts, append=lanes.n)

    return lanes.kept("warps", make)


def served(lanes: LaneSet, size: int) -> tuple[Integers, int]:
    """What `parts` says of lanes that access so many bytes of shared memory each."""
    return lanes.kept(("parts", size), lambda: parts(lanes.get("warp"), lanes.get("lane"), size))


def parted(lanes: LaneSet, taken: Booleans) -> int:
    """How many warps a branch divides, of which some of the lanes take the first way."""
    if len(taken) == 1 or taken.all() or not taken.any():
        return 0
    starts, sizes = warps(lanes)
    chosen = np.add.reduceat(taken, starts, dtype=np.int64)
    return int(np.count_nonzero((chosen > 0) & (chosen < sizes)))
