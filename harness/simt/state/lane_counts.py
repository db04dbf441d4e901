"""Counts of lanes by block and by warp, cached until a lane ends."""

import numpy as np

__all__ = ["count_rows", "live_rows", "live_slots", "missing_members", "present"]


def count_rows(engine, lanes):
    """How many of the lanes are in each block of the chunk."""
    found = lanes.cache.get("rows")
    if found is None:
        found = np.bincount(lanes.get("row"), minlength=len(engine.geometry.blocks))
        lanes.cache["rows"] = found
    return found


def live_rows(engine):
    """How many lanes of each block have not ended."""
    return engine.live.reshape(len(engine.geometry.blocks), -1).sum(1)


def live_slots(engine):
    """Whether the lane at warp * width + lane exists and has not ended."""
    geometry = engine.geometry
    slots = np.zeros(geometry.warps * len(geometry.blocks) * geometry.warp, bool)
    slots[geometry.value("slot")[engine.live]] = True
    return slots


def present(engine, lanes):
    """Whether the lane at warp * width + lane is among these."""
    found = lanes.cache.get("present")
    if found is None:
        geometry = engine.geometry
        found = np.zeros(geometry.warps * len(geometry.blocks) * geometry.warp, bool)
        found[lanes.get("slot")] = True
        lanes.cache["present"] = found
    return found


def missing_members(engine, lanes, masks):
    """For each lane, which lanes of its warp are named, live and not here.

    Returns:
        Booleans (lanes, width), or None when nobody is missing.
    """
    width = engine.geometry.warp
    away = (live_slots(engine) & ~present(engine, lanes)).reshape(-1, width)
    if not away.any():
        return None
    missing = away[lanes.get("warp")]
    if masks is not None and not (len(masks) == 1 and masks[0] == -1):
        bits = masks.astype(np.int64)[:, None] >> np.arange(width) & 1
        missing = missing & (bits != 0)
    return missing if missing.any() else None
