"""Loads and stores of many lanes at once.

Every access is checked against the allocation its pointer came from. Memory
that nothing wrote holds `POISON_BYTES`. The quick path is for lanes that all
stay within one allocation; `checked_access.py` has the rest.
"""

from typing import TypeAlias

import numpy as np

from harness.simt.arrays import Array, Booleans, Integers, Taint
from harness.simt.ir.site import Site
from harness.simt.ops.undefined import seen, settled, untold, whole
from harness.simt.state import checked_access
from harness.simt.state.allocation import Access, Allocation
from harness.simt.state.allocations import Allocations
from harness.simt.state.lanes import LaneSet

__all__ = ["Memory"]

# An allocation, the elements of it that lanes access, and their offsets in it.
Place: TypeAlias = tuple[Allocation, Integers, Integers]


class Memory(Allocations):
    """The same, with what loads and stores."""

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

    def load(self, lanes: LaneSet, pointers: Integers, taint: Taint, access: Access, site: Site) -> tuple[Array, Taint]:
        """Loads a value for each lane, with its taint; `taint` is that of the address."""
        if taint is not None:
            self.observation.emit_taint("address", site, lanes, taint)
        place = self.locate(lanes, pointers, access)
        if place is None:
            return checked_access.load(self, lanes, pointers, access, site)
        (allocation, index, offsets), observation, shadow = place, self.observation, None
        if allocation.shadow is not None and observation.tracked:
            byte = index << access.shift
            shadow = settled(allocation.shadow.take(byte[:, None] + np.arange(access.width)))
        if access.spread:
            index = index[:, None] + access.steps
        values = access.decode(allocation.view(access.dtype).take(index))
        if observation.on_access:
            observation.emit_access("load", site, lanes, allocation, offsets, access, values, whole(shadow))
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
