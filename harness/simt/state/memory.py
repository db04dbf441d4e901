"""Loads and stores of many lanes at once.

Every access is checked against the allocation its pointer came from. Memory
that nothing wrote holds `POISON_BYTES`. The quick path is for lanes that all
stay within one allocation; `checked_access.py` has the rest.
"""

from collections.abc import Callable, Mapping
from typing import TypeAlias

import numpy as np

from harness.simt.arrays import Array, Booleans, Integers, Taint
from harness.simt.ir.site import Site
from harness.simt.ir.values import SHIFT
from harness.simt.ops.undefined import seen, settled, untold, whole
from harness.simt.state import checked_access
from harness.simt.state.allocation import Access, Allocation
from harness.simt.state.lanes import LaneSet
from harness.simt.state.reports import Reports

__all__ = ["FIRST", "MASK", "Memory"]

MASK = 0xFFFF
FIRST = 1 << 12  # the first number of an allocation that outlives a launch
# An allocation, the elements of it that lanes access, and their offsets in it.
Place: TypeAlias = tuple[Allocation, Integers, Integers]


class Memory:
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

    def locate(self, lanes: LaneSet, pointers: Integers, access: Access) -> Place | None:
        """The allocation and the element numbers, or None for the slow path."""
        allocation = self.find(int(pointers[0]))
        if allocation is None:
            return None
        if len(pointers) == 1:
            offset = int(pointers[0]) - allocation.base
            if offset & access.bad or offset > allocation.size - access.width:
                return None
            index = offsets = np.array([offset])
        else:
            offsets = pointers - allocation.base
            bits, last = int(np.bitwise_or.reduce(offsets)), allocation.size - access.width
            if bits & access.bad:
                return None
            if bits > last and int(np.maximum.reduce(offsets)) > last:  # no offset is above all bits together
                return None
            index = offsets
        if access.shift:
            index = index >> access.shift
        if allocation.rows != "grid":
            stride = allocation.stride >> access.shift
            index = index + lanes.get("row" if allocation.rows == "block" else "self") * stride
        return allocation, index, offsets

    def load(self, lanes: LaneSet, pointers: Integers, access: Access, site: Site) -> Array:
        """Loads a value for each lane."""
        place = self.locate(lanes, pointers, access)
        if place is None:
            return checked_access.load(self, lanes, pointers, access, site, None)[0]
        allocation, index, offsets = place
        if access.spread:
            index = index[:, None] + access.steps
        values = access.decode(allocation.view(access.dtype).take(index))
        if self.observation.on_access:
            self.observation.emit_access("load", site, lanes, allocation, offsets, access, values, None)
        return values

    def load_tainted(
        self, lanes: LaneSet, pointers: Integers, taint: Taint, access: Access, site: Site
    ) -> tuple[Array, Taint]:
        """Loads a value and its taint for each lane."""
        if taint is not None:
            self.observation.emit_taint("address", site, lanes, taint)
        place = self.locate(lanes, pointers, access)
        if place is None:
            return checked_access.load(self, lanes, pointers, access, site, taint)
        allocation, index, offsets = place
        shadow = None
        if allocation.shadow is not None:
            byte = index << access.shift
            shadow = allocation.shadow.take(byte[:, None] + np.arange(access.width))
            shadow = settled(shadow)
        if access.spread:
            index = index[:, None] + access.steps
        values = access.decode(allocation.view(access.dtype).take(index))
        if self.observation.on_access:
            self.observation.emit_access("load", site, lanes, allocation, offsets, access, values, whole(shadow))
        return values, shadow

    def store(
        self,
        lanes: LaneSet,
        pointers: Integers,
        values: Array,
        access: Access,
        site: Site,
        taints: tuple[Taint, Taint] = (None, None),
        padded: Booleans | None = None,
    ) -> None:
        """Stores a value for each lane; of lanes that agree on the place, the last.

        Args:
            taints: Of the address, taken as a whole, and of the value.
            padded: See `undefined.seen`.
        """
        address_taint, taint = taints
        observation = self.observation
        if address_taint is not None:
            observation.emit_taint("address", site, lanes, address_taint)
        place = self.locate(lanes, pointers, access)
        if place is None or not place[0].writable:
            checked_access.store(self, lanes, pointers, values, access, site, taint, padded)
            return
        allocation, index, offsets = place
        if observation.on_access:
            observation.emit_access("store", site, lanes, allocation, offsets, access, values, whole(taint))
        if taint is not None and allocation.rows == "grid":
            shown = seen(taint, access.count, allocation.granule, padded)
            observation.emit_taint("output", site, lanes, shown, allocation)
            taint = untold(taint, shown)
        if allocation.shadow is not None or taint is not None:
            self.put_shadow(allocation, index << access.shift, taint, access.width)
        raw = access.encode(values)
        if access.spread:
            index = index[:, None] + access.steps
        order = self.store_order
        if order is not None and len(index) > 1:
            permuted = order(len(index))
            index = index[permuted]
            raw = raw[permuted] if len(raw) > 1 else raw
        elif len(index) == 1 and len(raw) > 1:
            raw = raw[-1:]
        allocation.view(access.dtype)[index] = raw
        self.writes += 1

    def begin_life(self, lanes: LaneSet, number: int, site: Site) -> None:
        """A local variable begins to exist: its bytes become undefined."""
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
