"""Accesses that are misaligned, out of bounds, or span several allocations."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType
from typing import Any, TypeAlias

import numpy as np

from harness.simt.arrays import Integers
from harness.simt.ir.site import Site
from harness.simt.ir.values import BIAS, PEER_SHIFT, SHIFT
from harness.simt.state.allocation import Access, Allocation
from harness.simt.state.allocations import Allocations
from harness.simt.state.lanes import LaneSet

__all__ = ["pieces", "report_misaligned"]

OFFSET = (1 << SHIFT) - 1
NO_ROWS = np.zeros(1, np.int64)
# An allocation, the lanes that access it (all of them if they are the same set), their positions among all, their
# offsets in it, one where all agree, and their rows.
Piece: TypeAlias = tuple[Allocation, LaneSet, Integers, Integers, Integers]


def pieces(
    memory: Allocations, lanes: LaneSet, pointers: Integers, access: Access, site: Site, kind: str
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
            tell(
                f"out-of-bounds.{where if allocation.size else 'empty'}",
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
    memory: Allocations, lanes: LaneSet, pointers: Integers, access: Access, site: Site, kind: str
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


def _teller(memory: Allocations, lanes: LaneSet, access: Access, site: Site, kind: str) -> Callable[..., None]:
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
