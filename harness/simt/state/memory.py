"""The allocations of a launch, and loads and stores of many lanes at once.

Every access is checked against the allocation its pointer came from. Memory
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

__all__ = ["Memory", "pieces", "report_misaligned"]

OFFSET = (1 << SHIFT) - 1
NULL = Allocation(0, "null", "global", 0)
NO_ROWS = np.zeros(1, np.int64)
# An allocation, the lanes that access it (all of them if they are the same set), their positions among all, their
# offsets in it, one where all agree, and their rows.
Piece: TypeAlias = tuple[Allocation, LaneSet, Integers, Integers, Integers]


class Memory:
    """All allocations of a launch, and its loads and stores.

    Attributes:
        allocations: Those of the launch alone, by number; 0 is null.
        device: Those that outlive it, by number.
        private: The numbers of the local variables.
        observation: Whom to report to, and the observers' hooks.
        store_order: Takes a number of lanes; the order in which they store. None for ascending.
        writes: Counts what may have changed memory.
        value_outside: Takes a type; what a lane gets that reads where it must not.
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
        self.allocations = [NULL]
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
        origin = self.observation.origin("local", allocation.name, site)
        allocation.to_mark().reshape(-1, allocation.stride)[lanes.idx] = origin

    def put_shadow(self, allocation: Allocation, byte: Integers, taint: Taint, width: int) -> None:
        """Marks bytes as initialised or, where there is taint, as not."""
        if taint is None:
            taint = np.zeros(1, np.int32)
        if len(byte) == 1:
            taint = taint[-1:]
        allocation.to_mark()[byte[:, None] + np.arange(width)] = taint if taint.ndim == 2 else taint[:, None]

    def load(self, lanes: LaneSet, pointers: Integers, taint: Taint, access: Access, site: Site) -> tuple[Array, Taint]:
        """Loads a value for each lane, poison for who must not, with its taint; `taint` is that of the address."""
        observation = self.observation
        observation.emit_taint("address", site, lanes, taint)
        parts: list[tuple[Integers, Array, Taint]] = []
        for allocation, some, positions, offsets, rows in pieces(self, lanes, pointers, access, site, "load"):
            starts = allocation.starts(offsets, rows)
            values, shadow = allocation.read(starts, access), None
            if allocation.shadow is not None and observation.tracked:
                shadow = normalise_taint(allocation.shadow.take(starts[:, None] + access.octets))
            if observation.on_access:
                observation.emit_access(
                    "load", site, some, allocation, offsets, access, values, collapse_taint(shadow), rows
                )
            if some is lanes:
                return values, shadow
            parts.append((positions, values, shadow))
        values, outside = np.repeat(self.value_outside(access.type), lanes.n, 0), 0
        if observation.tracked and sum(len(positions) for positions, _, _ in parts) < lanes.n:
            outside = observation.origin("outside", site=site)
        marks = np.full((lanes.n, access.width), outside, np.int32)
        for positions, loaded, shadow in parts:
            values[positions] = loaded
            marks[positions] = 0 if shadow is None else shadow.reshape(len(shadow), -1)
        return values, normalise_taint(marks)

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
            padded: See `undefined.taint_visible_to_host`.
        """
        observation = self.observation
        observation.emit_taint("address", site, lanes, taints[0])
        for allocation, some, positions, offsets, rows in pieces(self, lanes, pointers, access, site, "store"):
            given, taint, beside = values, taints[1] if observation.tracked else None, padded
            if some is not lanes:
                given = values[positions] if len(values) > 1 else values
                taint, beside = pick((taint, padded), positions)
            if observation.on_access:
                observation.emit_access(
                    "store", site, some, allocation, offsets, access, given, collapse_taint(taint), rows
                )
            if taint is not None and allocation.rows == "grid":
                shown = taint_visible_to_host(taint, access.count, allocation.granule, beside)
                observation.emit_taint("output", site, some, shown, allocation)
                taint = clear_reported(taint, shown)
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


def pieces(
    memory: Memory, lanes: LaneSet, pointers: Integers, access: Access, site: Site, kind: str
) -> Iterator[Piece]:
    """Splits the lanes by allocation, and reports those that must not access; one piece where all fit into one."""
    allocation = memory.find(int(pointers[0]))
    if allocation is not None and (allocation.writable or kind == "load"):
        offsets = pointers - allocation.base
        if _fit(offsets, allocation.size - access.width, access.bad):
            rows = NO_ROWS
            if allocation.rows != "grid":
                rows = lanes.get("row" if allocation.rows == "block" else "self")
            yield allocation, lanes, lanes.kept("all", lambda: np.arange(lanes.n)), offsets, rows
            return
    if len(pointers) == 1 and lanes.n > 1:
        pointers = np.repeat(pointers, lanes.n)
    numbers, tell = pointers >> SHIFT, _teller(memory, lanes, access, site, kind)
    for number in dict.fromkeys(numbers.tolist()):
        positions = np.flatnonzero(numbers == number)
        peer = number >> (PEER_SHIFT - SHIFT) & 0x7F
        allocation = memory.find(number << SHIFT)
        # A peer's bits are part of the number; keep only the offset's bits.
        offsets = (pointers[positions] & OFFSET) - BIAS
        # Only shared memory has peers: any other bits up there are no address at all.
        if allocation is None or (peer and allocation.rows != "block"):
            address = int(pointers[positions[0]])
            where = "null" if 0 <= address + BIAS < 2 * BIAS else "nowhere"
            tell(f"out-of-bounds.pointer.{where}", positions, None, {"address": address}, key="null")
            continue
        if allocation.freed:
            tell("use-after-free.heap" if allocation.heap else "use-after-free", positions, allocation)
            continue
        if peer > lanes.geometry.cluster_size:
            tell("no-such-peer", positions, allocation, {"peer": peer - 1, "blocks": lanes.geometry.cluster_size})
            continue
        good = (offsets >= 0) & (offsets <= allocation.size - access.width)
        if not good.all():
            outside = offsets[~good]
            first = int(outside[0])
            where = "before" if first < 0 else "after" if first >= allocation.size else "across"
            if not allocation.size:
                where = "not-given" if allocation.space == "shared" else "empty"
            tell(
                f"out-of-bounds.{where}",
                positions[~good],
                allocation,
                {
                    "offsets": tuple(outside[:64].tolist()),
                    "distance": max(-first, first - allocation.size),
                    "allocation": allocation.size,
                },
                first,
            )
        if kind != "load" and not allocation.writable:
            tell("write-to-constant", positions, allocation)
            continue
        askew = good & (offsets & (access.align - 1) != 0)
        if askew.any():
            tell("misaligned", positions[askew], allocation, {"align": access.align}, int(offsets[askew][0]))
        positions, offsets = positions[good], offsets[good]
        if not len(positions):
            continue
        rows = NO_ROWS
        if allocation.rows == "block":
            rows = lanes.get("row")[positions]
            if peer:
                blocks = lanes.geometry.cluster_size
                rows = rows // blocks * blocks + peer - 1
        elif allocation.rows == "lane":
            rows = lanes.get("self")[positions]
        yield allocation, lanes.sub(positions), positions, offsets, rows


def _fit(offsets: Integers, last: int, bad: int) -> bool:
    """Whether no access begins behind the last place for one, nor has bits of its offset that it must not have."""
    bits = int(np.bitwise_or.reduce(offsets))
    # No offset is above all bits together.
    return not bits & bad and (bits <= last or int(np.maximum.reduce(offsets)) <= last)


def report_misaligned(
    memory: Memory, lanes: LaneSet, pointers: Integers, access: Access, site: Site, kind: str
) -> None:
    """Reports the lanes whose address is not aligned as an access promises; its bytes are accessed one by one."""
    pointers = np.broadcast_to(pointers, (lanes.n,))
    askew = np.flatnonzero((pointers & OFFSET) - BIAS & (access.align - 1) != 0)
    numbers, tell = pointers[askew] >> SHIFT, _teller(memory, lanes, access, site, kind)
    for number in dict.fromkeys(numbers.tolist()):
        allocation = memory.find(number << SHIFT)
        if allocation is not None and not allocation.freed:
            here = askew[numbers == number]
            offset = int(pointers[here[0]] & OFFSET) - BIAS
            tell("misaligned", here, allocation, {"align": access.align}, offset)


def _teller(memory: Memory, lanes: LaneSet, access: Access, site: Site, kind: str) -> Callable[..., None]:
    """What reports the lanes at some positions, with what is particular to their fault."""

    def tell(
        fault: str,
        positions: Integers,
        allocation: Allocation | None,
        values: Mapping[str, Any] = MappingProxyType({}),
        offset: int | None = None,
        **details: Any,
    ) -> None:
        name, space = (None, "unknown") if allocation is None else (allocation.name, allocation.space)
        told, size = {"access": kind, "space": space, **values}, access.width
        memory.observation.report(
            fault, "error", (site,), lanes, positions, argument=name, offset=offset, size=size, values=told, **details
        )

    return tell
