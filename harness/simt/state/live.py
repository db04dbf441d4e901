"""Which lanes of a chunk have not ended."""

import numpy as np

from harness.simt.arrays import Array, Booleans, Integers
from harness.simt.state.lanes import Geometry, LaneSet

__all__ = ["Live"]


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
