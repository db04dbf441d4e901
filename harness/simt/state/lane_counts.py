"""Counts of lanes by block and by warp, kept with the lane set."""

import numpy as np

from harness.simt.arrays import Booleans, Integers
from harness.simt.state.lanes import LaneSet

__all__ = ["by_block", "present"]


def by_block(lanes: LaneSet) -> Integers:
    """How many of the lanes are in each block of the chunk."""
    found: Integers | None = lanes.cache.get("by_block")
    if found is None:
        found = np.bincount(lanes.get("row"), minlength=len(lanes.geometry.blocks))
        lanes.cache["by_block"] = found
    return found


def present(lanes: LaneSet) -> Booleans:
    """Whether the lane at warp * width + lane is among these."""
    found: Booleans | None = lanes.cache.get("present")
    if found is None:
        found = np.zeros(lanes.geometry.slots, bool)
        found[lanes.get("slot")] = True
        lanes.cache["present"] = found
    return found
