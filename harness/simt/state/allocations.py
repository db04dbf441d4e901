"""The allocations of a launch, and which of their bytes hold what somebody wrote."""

from collections.abc import Callable, Mapping

import numpy as np

from harness.simt.arrays import Integers, Taint
from harness.simt.ir.site import Site
from harness.simt.ir.values import SHIFT
from harness.simt.state.allocation import Allocation
from harness.simt.state.lanes import LaneSet
from harness.simt.state.reports import Reports

__all__ = ["FIRST", "MASK", "Allocations"]

MASK = 0xFFFF
FIRST = 1 << 12  # the first number of an allocation that outlives a launch


class Allocations:
    """All allocations of a launch.

    Attributes:
        allocations: Those of the launch alone, by number; 0 is null.
        device: Those that outlive it, by number.
        private: The numbers of the local variables.
        observation: Whom to report to, and the observers' hooks.
        store_order: Takes a number of lanes; the order in which they store. None for ascending.
        writes: Counts what may have changed memory.
    """

    def __init__(
        self,
        observation: Reports,
        store_order: Callable[[int], Integers] | None = None,
        device: Mapping[int, Allocation] | None = None,
    ) -> None:
        self.observation, self.store_order = observation, store_order
        self.device = {} if device is None else device
        self.writes = 0
        self.allocations = [Allocation(0, "null", "global", 0)]
        self.private: list[int] = []

    def find(self, pointer: int) -> Allocation | None:
        """The allocation an integer address belongs to, or None."""
        number = (pointer >> SHIFT) & MASK
        if number >= FIRST:
            return self.device.get(number)
        return self.allocations[number] if 0 < number < len(self.allocations) else None

    def begin_life(self, lanes: LaneSet, number: int, site: Site) -> None:
        """A local variable begins to exist: its bytes become undefined, where that is followed."""
        if not self.observation.tracked:
            return
        allocation = self.allocations[number]
        if allocation.shadow is None:
            allocation.shadow = np.zeros(len(allocation.data), np.int32)
        origin = self.observation.origin("argument", allocation.name, site)
        allocation.shadow.reshape(-1, allocation.stride)[lanes.idx] = origin

    def put_shadow(self, allocation: Allocation, byte: Integers, taint: Taint, width: int) -> None:
        """Marks bytes as initialised or, where there is taint, as not."""
        if allocation.shadow is None:
            allocation.shadow = np.zeros(len(allocation.data), np.int32)
        if taint is None:
            taint = np.zeros(1, np.int32)
        if len(byte) == 1:
            taint = taint[-1:]
        allocation.shadow[byte[:, None] + np.arange(width)] = taint if taint.ndim == 2 else taint[:, None]
