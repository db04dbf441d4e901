"""`Memory`: a launch's allocations; checked loads and stores of many lanes (bounds, alignment, read-only, taint).

Every access is checked against the allocation that its pointer was computed from. Memory
that nothing wrote holds `POISON_BYTES`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType
from typing import Any, TypeAlias

import numpy as np

from harness.simt.arrays import Array, Booleans, Integers, Taint
from harness.simt.ir.site import Site
from harness.simt.ir.types import Type
from harness.simt.ir.values import BIAS, FIRST, MASK, PEER_SHIFT, SHIFT, poison_value
from harness.simt.ops.undefined import clear_reported, collapse_taint, normalise_taint, taint_visible_to_host
from harness.simt.state.allocation import Access, Allocation
from harness.simt.state.lanes import LaneSet
from harness.simt.state.merge import pick
from harness.simt.state.reports import Reports

__all__ = ["Memory", "Piece", "report_misaligned", "split_by_allocation"]

OFFSET = (1 << SHIFT) - 1
NULL_ALLOCATION = Allocation(0, "null", "global", 0)
SINGLE_ROW = np.zeros(1, np.int64)
# An allocation, the lanes that access it (the same set if all do), their positions among all lanes, their
# offsets in it (one if all agree), and their rows.
Piece: TypeAlias = tuple[Allocation, LaneSet, Integers, Integers, Integers]


class Memory:
    """All allocations of a launch, and its loads and stores.

    Attributes:
        allocations: The launch's own, by number; 0 is null.
        device: The allocations that outlive the launch, by number.
        private: The numbers of the local variables.
        observation: Where to report findings and events.
        store_order: Takes a number of lanes and returns the order in which they store; None for ascending.
        writes: Counts stores that may have changed memory.
        value_outside: Takes a type and returns the value that an invalid load gets.
    """

    value_outside: Callable[[Type], Array] = staticmethod(poison_value)

    def __init__(
        self,
        observation: Reports,
        store_order: Callable[[int], Integers] | None = None,
        device: Mapping[int, Allocation] | None = None,
    ) -> None:
        self.observation, self.store_order = observation, store_order
        self.device = {} if device is None else device
        self.writes = 0
        self.allocations = [NULL_ALLOCATION]
        self.private: list[int] = []

    def allocation_of(self, pointer: int) -> Allocation | None:
        """Return the allocation whose number is in an address, freed or not; None for null or an unknown number."""
        number = (pointer >> SHIFT) & MASK
        if number >= FIRST:
            return self.device.get(number)
        return self.allocations[number] if 0 < number < len(self.allocations) else None

    def begin_lifetime(self, lanes: LaneSet, number: int, site: Site) -> None:
        """Mark a local variable, allocation `number`, as undefined in some lanes, if undefined values are tracked."""
        if not self.observation.tracked:
            return
        allocation = self.allocations[number]
        origin = self.observation.origin("local", allocation.name, site)
        allocation.writable_shadow().reshape(-1, allocation.stride)[lanes.idx] = origin

    def set_taint(self, allocation: Allocation, byte: Integers, taint: Taint, width: int) -> None:
        """Set the taint of `width` bytes from each first byte; None marks them as initialised.

        Args:
            byte: The first bytes, counted through all rows; if there is one, only the last entry of the taint counts.
            taint: By lane, (n,), or by lane and byte, (n, width).
        """
        if taint is None:
            taint = np.zeros(1, np.int32)
        if len(byte) == 1:
            taint = taint[-1:]
        allocation.writable_shadow()[byte[:, None] + np.arange(width)] = taint if taint.ndim == 2 else taint[:, None]

    def load(self, lanes: LaneSet, pointers: Integers, taint: Taint, access: Access, site: Site) -> tuple[Array, Taint]:
        """Load a value for each lane; return it with its taint by byte.

        Reports invalid accesses and a tainted address, and calls the observers of accesses. A lane that has no such
        bytes gets `value_outside` (poison), with the origin `outside`; a misaligned access is loaded all the same.

        Args:
            taint: Of the address.

        Returns:
            Both have length 1 if there is one address, and its access is valid. The taint is (n, width), or None if all
                is defined or nothing is tracked.
        """
        observation = self.observation
        observation.emit_taint("address", site, lanes, taint)
        loads: list[tuple[Integers, Array, Taint]] = []
        for allocation, accessing, positions, offsets, lane_rows in split_by_allocation(
            self, lanes, pointers, access, site, "load"
        ):
            starts = allocation.starts(offsets, lane_rows)
            values, shadow = allocation.read(starts, access), None
            if allocation.shadow is not None and observation.tracked:
                shadow = normalise_taint(allocation.shadow.take(starts[:, None] + access.octets))
            if observation.on_access:
                observation.emit_access(
                    "load", site, accessing, allocation, offsets, access, values, collapse_taint(shadow), lane_rows
                )
            if accessing is lanes:
                return values, shadow
            loads.append((positions, values, shadow))
        values, outside = np.repeat(self.value_outside(access.type), lanes.n, 0), 0
        if observation.tracked and sum(len(positions) for positions, _, _ in loads) < lanes.n:
            outside = observation.origin("outside", site=site)
        taint_by_byte = np.full((lanes.n, access.width), outside, np.int32)
        for positions, loaded, shadow in loads:
            values[positions] = loaded
            taint_by_byte[positions] = 0 if shadow is None else shadow.reshape(len(shadow), -1)
        return values, normalise_taint(taint_by_byte)

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
        """Store a value for each lane whose bytes exist and are writable; of several at one location the last stays.

        Reports invalid accesses, a tainted address and undefined values stored to global memory; calls the observers of
        accesses, before the bytes change. `store_order`, if set, decides which lane is the last, if all access bytes of
        one allocation. `writes` grows by the number of allocations stored to.

        Args:
            taints: Of the address, one for all bytes, and of the value.
            padded: See `undefined.taint_visible_to_host`.
        """
        observation = self.observation
        observation.emit_taint("address", site, lanes, taints[0])
        for allocation, accessing, positions, offsets, lane_rows in split_by_allocation(
            self, lanes, pointers, access, site, "store"
        ):
            lane_values, taint, lane_padded = values, taints[1] if observation.tracked else None, padded
            if accessing is not lanes:
                lane_values = values[positions] if len(values) > 1 else values
                taint, lane_padded = pick((taint, padded), positions)
            if observation.on_access:
                observation.emit_access(
                    "store", site, accessing, allocation, offsets, access, lane_values, collapse_taint(taint), lane_rows
                )
            if taint is not None and allocation.rows == "grid":
                seen_taint = taint_visible_to_host(taint, access.count, allocation.granule, lane_padded)
                observation.emit_taint("output", site, accessing, seen_taint, allocation)
                taint = clear_reported(taint, seen_taint)
            starts, raw = allocation.starts(offsets, lane_rows), access.encode(lane_values)
            if allocation.shadow is not None or taint is not None:
                self.set_taint(allocation, starts, taint, access.width)
            if self.store_order is not None and accessing is lanes and len(starts) > 1:
                permuted = self.store_order(len(starts))
                starts, raw = starts[permuted], raw[permuted] if len(raw) > 1 else raw
            elif len(starts) == 1 and len(raw) > 1:
                raw = raw[-1:]
            allocation.write(starts, access, raw)
            self.writes += 1


def split_by_allocation(
    memory: Memory, lanes: LaneSet, pointers: Integers, access: Access, site: Site, kind: str, reports: bool = True
) -> Iterator[Piece]:
    """Yield a `Piece` for each allocation: (allocation, lanes, their positions among all, offsets, rows).

    Lanes whose bytes do not exist or are not writable are reported and left out; misaligned ones are only reported. If
    all access one allocation validly, there is one piece, with `lanes` itself.

    Args:
        kind: `load`, `store` or another word for the access; all but `load` need writable memory.
        reports: False if the same access is reported elsewhere: what is reported twice counts twice.
    """
    allocation = memory.allocation_of(int(pointers[0]))
    if allocation is not None and (allocation.writable or kind == "load"):
        offsets = pointers - allocation.base
        if _all_fit(offsets, allocation.size - access.width, access.bad):
            lane_rows = SINGLE_ROW
            if allocation.rows != "grid":
                lane_rows = lanes.get("row" if allocation.rows == "block" else "self")
            yield allocation, lanes, lanes.cached("all", lambda: np.arange(lanes.n)), offsets, lane_rows
            return
    if len(pointers) == 1 and lanes.n > 1:
        pointers = np.repeat(pointers, lanes.n)
    numbers, report_access = pointers >> SHIFT, _make_reporter(memory, lanes, access, site, kind, reports)
    for number in dict.fromkeys(numbers.tolist()):
        positions = np.flatnonzero(numbers == number)
        peer = number >> (PEER_SHIFT - SHIFT) & 0x7F
        allocation = memory.allocation_of(number << SHIFT)
        # A peer's bits are part of the number; keep only the offset's bits.
        offsets = (pointers[positions] & OFFSET) - BIAS
        # Only shared memory has peers: any other bits up there are no address at all.
        if allocation is None or (peer and allocation.rows != "block"):
            address = int(pointers[positions[0]])
            place = "null" if 0 <= address + BIAS < 2 * BIAS else "nowhere"
            report_access(f"out-of-bounds.pointer.{place}", positions, None, {"address": address}, key="null")
            continue
        if allocation.freed:
            report_access("use-after-free.heap" if allocation.heap else "use-after-free", positions, allocation)
            continue
        if peer > lanes.geometry.cluster_size:
            report_access(
                "no-such-peer", positions, allocation, {"peer": peer - 1, "blocks": lanes.geometry.cluster_size}
            )
            continue
        is_inside = (offsets >= 0) & (offsets <= allocation.size - access.width)
        if not is_inside.all():
            outside = offsets[~is_inside]
            first = int(outside[0])
            place = "before" if first < 0 else "after" if first >= allocation.size else "across"
            if not allocation.size:
                place = "not-given" if allocation.space == "shared" else "empty"
            report_access(
                f"out-of-bounds.{place}",
                positions[~is_inside],
                allocation,
                {
                    "offsets": tuple(outside[:64].tolist()),
                    "distance": max(-first, first - allocation.size),
                    "gap": "apart" if first != allocation.size else "adjacent",
                    "allocation": allocation.size,
                },
                first,
            )
        if kind != "load" and not allocation.writable:
            report_access("write-to-constant", positions, allocation)
            continue
        is_misaligned = is_inside & (offsets & (access.align - 1) != 0)
        if is_misaligned.any():
            report_access(
                "misaligned",
                positions[is_misaligned],
                allocation,
                {"align": access.align},
                int(offsets[is_misaligned][0]),
            )
        positions, offsets = positions[is_inside], offsets[is_inside]
        if not len(positions):
            continue
        lane_rows = SINGLE_ROW
        if allocation.rows == "block":
            lane_rows = lanes.get("row")[positions]
            if peer:
                blocks = lanes.geometry.cluster_size
                lane_rows = lane_rows // blocks * blocks + peer - 1
        elif allocation.rows == "lane":
            lane_rows = lanes.get("self")[positions]
        yield allocation, lanes.sub(positions), positions, offsets, lane_rows


def _all_fit(offsets: Integers, last: int, bad: int) -> bool:
    """Return whether all offsets are at most the last valid one, and have none of the bad bits; see `Access`."""
    bits = int(np.bitwise_or.reduce(offsets))
    # No offset is above all bits together.
    return not bits & bad and (bits <= last or int(np.maximum.reduce(offsets)) <= last)


def report_misaligned(
    memory: Memory, lanes: LaneSet, pointers: Integers, access: Access, site: Site, kind: str
) -> None:
    """Report the lanes whose address is not aligned as the access promises, except in no or freed memory."""
    pointers = np.broadcast_to(pointers, (lanes.n,))
    misaligned = np.flatnonzero((pointers & OFFSET) - BIAS & (access.align - 1) != 0)
    numbers, report_access = pointers[misaligned] >> SHIFT, _make_reporter(memory, lanes, access, site, kind)
    for number in dict.fromkeys(numbers.tolist()):
        allocation = memory.allocation_of(number << SHIFT)
        if allocation is not None and not allocation.freed:
            positions = misaligned[numbers == number]
            offset = int(pointers[positions[0]] & OFFSET) - BIAS
            report_access("misaligned", positions, allocation, {"align": access.align}, offset)


def _make_reporter(
    memory: Memory, lanes: LaneSet, access: Access, site: Site, kind: str, reports: bool = True
) -> Callable[..., None]:
    """Return a function of (id, positions, allocation or None, values, offset) that reports an error if `reports`."""

    def report(
        fault: str,
        positions: Integers,
        allocation: Allocation | None,
        values: Mapping[str, Any] = MappingProxyType({}),
        offset: int | None = None,
        **details: Any,
    ) -> None:
        if not reports:
            return
        name, space = (None, "unknown") if allocation is None else (allocation.name, allocation.space)
        message_values, size = {"access": kind, "space": space, **values}, access.width
        memory.observation.report(
            fault,
            "error",
            (site,),
            lanes,
            positions,
            argument=name,
            offset=offset,
            size=size,
            values=message_values,
            **details,
        )

    return report
