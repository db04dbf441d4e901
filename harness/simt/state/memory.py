"""Loads and stores of many lanes at once.

Every access is checked against the allocation its pointer came from. Memory
that nothing wrote holds `POISON_BYTES`. `checked_access.py` takes lanes apart by
allocation, and reports those that must not access.
"""

import numpy as np

from harness.simt.arrays import Array, Booleans, Integers, Taint
from harness.simt.ir.site import Site
from harness.simt.ir.values import poison_value
from harness.simt.ops.undefined import seen, settled, untold, whole
from harness.simt.state.allocation import Access
from harness.simt.state.allocations import Allocations
from harness.simt.state.checked_access import pieces
from harness.simt.state.lanes import LaneSet
from harness.simt.state.merge import pick

__all__ = ["Memory"]


class Memory(Allocations):
    """The same, with what loads and stores."""

    def load(self, lanes: LaneSet, pointers: Integers, taint: Taint, access: Access, site: Site) -> tuple[Array, Taint]:
        """Loads a value for each lane, poison for who must not, with its taint; `taint` is that of the address."""
        observation = self.observation
        if taint is not None:
            observation.emit_taint("address", site, lanes, taint)
        parts: list[tuple[Integers, Array, Taint]] = []
        for allocation, some, positions, offsets, rows in pieces(self, lanes, pointers, access, site, "load"):
            starts = allocation.starts(offsets, rows)
            values, shadow = allocation.read(starts, access), None
            if allocation.shadow is not None and observation.tracked:
                shadow = settled(allocation.shadow.take(starts[:, None] + access.octets))
            if observation.on_access:
                observation.emit_access("load", site, some, allocation, offsets, access, values, whole(shadow), rows)
            if some is lanes:
                return values, shadow
            parts.append((positions, values, shadow))
        values, outside = np.repeat(poison_value(access.type), lanes.n, 0), 0
        if observation.tracked and sum(len(positions) for positions, _, _ in parts) < lanes.n:
            outside = observation.origin("outside", site=site)
        marks = np.full((lanes.n, access.width), outside, np.int32)
        for positions, loaded, shadow in parts:
            values[positions] = loaded
            marks[positions] = 0 if shadow is None else shadow.reshape(len(shadow), -1)
        return values, settled(marks)

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
        """Stores a value for each lane that may; of lanes that agree on the place, the last.

        Args:
            taints: Of the address, taken as a whole, and of the value.
            padded: See `undefined.seen`.
        """
        observation = self.observation
        if taints[0] is not None:
            observation.emit_taint("address", site, lanes, taints[0])
        for allocation, some, positions, offsets, rows in pieces(self, lanes, pointers, access, site, "store"):
            given, taint, beside = values, taints[1] if observation.tracked else None, padded
            if some is not lanes:
                given = values[positions] if len(values) > 1 else values
                taint, beside = pick((taint, padded), positions)
            if observation.on_access:
                observation.emit_access("store", site, some, allocation, offsets, access, given, whole(taint), rows)
            if taint is not None and allocation.rows == "grid":
                shown = seen(taint, access.count, allocation.granule, beside)
                observation.emit_taint("output", site, some, shown, allocation)
                taint = untold(taint, shown)
            starts, raw = allocation.starts(offsets, rows), access.encode(given)
            if allocation.shadow is not None or taint is not None:
                self.put_shadow(allocation, starts, taint, access.width)
            if self.store_order is not None and some is lanes and len(starts) > 1:
                permuted = self.store_order(len(starts))
                starts, raw = starts[permuted], raw[permuted] if len(raw) > 1 else raw
            elif len(starts) == 1 and len(raw) > 1:
                raw = raw[-1:]
            allocation.write(starts, access, raw)
            self.writes += 1
