"""Counts of lanes by block and by warp, kept with the lane set."""

import numpy as np

from harness.simt.arrays import Booleans, Integers
from harness.simt.state.lanes import LaneSet

__all__ = ["by_block", "present"]


def by_block(lanes: LaneSet) -> Integers:
    """How many of the lanes are in each block of the chunk."""
    counts: Integers | None = lanes.cache.get("by_block")
    if counts is None:
        counts = np.bincount(lanes.get("row"), minlength=len(lanes.geometry.blocks))
        lanes.cache["by_block"] = counts
    return counts


def present(lanes: LaneSet) -> Booleans:
    """Whether the lane at warp * width + lane is among these."""
    slots: Booleans | None = lanes.cache.get("present")
    if slots is None:
        slots = np.zeros(lanes.geometry.slots, bool)
        slots[lanes.get("slot")] = True
        lanes.cache["present"] = slots
    return slots
