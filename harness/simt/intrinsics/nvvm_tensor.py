"""NVIDIA's `cp.async.bulk.tensor`: load, store or reduce a tensor's box by tensor map and coordinates; im2col.

Elements of a box outside the tensor's bounds are loaded as zeros, and still counted; stores and reductions skip them.
In im2col mode the box is a column: pixels between two corners, with some channels of each, shifted by the position in
the filter.

See: https://docs.nvidia.com/cuda/parallel-thread-execution/#data-movement-and-conversion-instructions-tensor-copy
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

import numpy as np

from harness.simt.arrays import Integers
from harness.simt.compile.declarations import MemoryAccess
from harness.simt.compile.registry import declare_ignored, stateful
from harness.simt.errors import Unsupported
from harness.simt.intrinsics.asynchronous import shared_pointers
from harness.simt.intrinsics.handlers import Call
from harness.simt.ir.types import Float, Int, Type, Vector
from harness.simt.ir.values import PEER_SHIFT
from harness.simt.state.allocation import Access
from harness.simt.state.lanes import LaneSet
from harness.simt.state.tensor_map import BYTES, GRANULE, Box

__all__ = ["REDUCTIONS"]

NAME = "llvm.nvvm.cp.async.bulk.tensor"
MAP = Access(Vector(BYTES // 8, Int(64)), 64)
ALIGN = 128  # of a box in shared memory
OWN = (1 << PEER_SHIFT) - 1
# Reductions by number; below, LLVM's `atomicrmw` operation for each, by the number of the elements' type.
REDUCTIONS = ("add", "min", "max", "inc", "dec", "and", "or", "xor")
BITS = {"add": "add", "and": "and", "or": "or", "xor": "xor"}
SIGNED = BITS | {"min": "min", "max": "max"}
UNSIGNED = BITS | {"min": "umin", "max": "umax"}
SHORT = {"add": "fadd", "min": "fmin", "max": "fmax"}
OPERATIONS: dict[int, tuple[Type, dict[str, str]]] = {
    2: (Int(32), UNSIGNED | {"inc": "uinc_wrap", "dec": "udec_wrap"}),
    3: (Int(32), SIGNED),
    4: (Int(64), UNSIGNED),
    5: (Int(64), {"min": "min", "max": "max"}),  # an H200 rejects the others as illegal instructions
    6: (Float("half"), SHORT),
    7: (Float("float"), {"add": "fadd"}),
    8: (Float("double"), {"add": "fadd"}),
    9: (Float("bfloat"), SHORT),
}


@dataclass(slots=True, eq=False)
class _BoxCopy:
    """The copy of one lane's box, as contiguous runs of bytes.

    Attributes:
        position: The position of the lane among those that call.
        lane: A set of this lane alone.
        runs: A set of this lane, repeated for each contiguous run of bytes.
        size: Bytes of a run.
        shared: Pointers to the runs in shared memory.
        outside: Pointers to the runs in global memory.
        inside: The indices of the runs that lie in the tensor's bounds.
        box_bytes: Bytes of the box.
        kind: The number of the elements' type; see `Box`.
    """

    position: int
    lane: LaneSet
    runs: LaneSet
    size: int
    shared: Integers
    outside: Integers
    inside: Integers
    box_bytes: int
    kind: int


def _check_box(call: Call, position: Integers, box: Box, at: list[int], stores: bool) -> None:
    """Report the first fault for which hardware copies a box not as its map says, or not at all; the launch goes on.

    Loads and stores: the box starts inside a granule of 16 bytes. Stores only: a coordinate is negative. Stores only,
    as a warning: the box begins in a row of the tensor and ends outside the row, and the length of the tensor's rows is
    no multiple of 16 bytes.

    See: https://docs.nvidia.com/cuda/cuda-c-programming-guide/ (negative indices), and for the rest
    docs/instructions.md.

    Args:
        position: The lane's position in the call, as an array of length 1.
        at: The box's coordinates, the innermost first.
        stores: Whether the copy is out of shared memory; else it is a load.
    """
    first, row = at[0] * box.element, box.sizes[0] * box.element
    end = first + box.counts[0] * box.element
    values = {"place": at[0], "offset": first, "granule": GRANULE, "size": -row % GRANULE}
    if first % GRANULE:
        call.report("tensor-copy.place", position, values=values)
    elif stores and min(at) < 0:
        call.report("tensor-copy.negative", position, values={"place": min(at)})
    elif stores and row % GRANULE and first < row < end:
        call.report("tensor-copy.rest", position, "warning", values=values)


def _decode_copies(
    call: Call, maps: int, coordinates: slice, offsets: slice | None = None, stores: bool = False
) -> Iterator[_BoxCopy]:
    """Read the tensor map of each lane from memory, and yield the lane's copy.

    Lanes are reported and left out if their tensor map is invalid, or does not have the call's mode and number of
    dimensions. Misaligned addresses and boxes that hardware copies differently are reported, but yielded.

    Args:
        maps: The position of the argument with the map; argument 0 is the address in shared memory.
        coordinates: The positions of the box's coordinates.
        offsets: The positions of the filter offsets in im2col mode; else None.
        stores: Whether the copies are out of shared memory.

    Raises:
        Unsupported: The rows of a box are narrower than its swizzle.
    """
    engine, lanes = call.engine, call.lanes
    shared = np.broadcast_to(shared_pointers(call, 0), (lanes.n,))
    places, moved = (
        [np.broadcast_to(values, (lanes.n,)).astype(np.int64) for values in call.values[part]]
        for part in (coordinates, offsets or slice(0))
    )
    mode = "tile" if offsets is None else "im2col"
    words, _ = call.load(call.wide(maps), MAP)
    for position in range(lanes.n):
        lane_position = np.array([position])
        box = Box.decode(np.ascontiguousarray(words[position % len(words)]).tobytes())
        if box is None or len(box.sizes) != len(places) or (box.corners is None) != (offsets is None):
            expected = {"rank": len(places), "mode": mode}
            call.report("tensor-copy.map", lane_position, values=expected)
            continue
        if box.swizzle and box.box[0] * box.element != box.swizzle:
            raise Unsupported("cp.async.bulk.tensor of a box whose rows are narrower than its swizzle")
        start = int(engine.window.address(shared[lane_position] & OWN)[0])
        if start % ALIGN:
            call.report("tensor-copy.alignment", lane_position, values={"granule": ALIGN})
        at = [int(values[position]) for values in places]
        _check_box(call, lane_position, box, at, stores)
        size, inner, outside, inside = box.split_copy(at, [int(values[position]) & 0xFFFF for values in moved], stores)
        lane = lanes.sub(lane_position)
        every, to = lane.sub(np.zeros(len(inner), np.int64)), engine.window.pointer(box.apply_swizzle(start + inner))
        yield _BoxCopy(position, lane, every, size, to, outside, np.flatnonzero(inside), box.bytes, box.kind)


def _load(rank: int, offsets: int, call: Call) -> None:
    """Start copies into the shared memory of the block that the address is in: the lane's own block or a peer.

    If the call's multicast flag is set, copy instead into the shared memory of each block that the mask names. The
    mbarrier of each destination block counts all bytes of the box, with those out of bounds, which are filled with 0.
    For what is reported or left out see `_decode_copies`.

    A call's arguments are the address, the mbarrier, the map, the coordinates, the filter offsets, the mask, a cache
    hint and the multicast flag.

    Args:
        rank: The number of coordinates.
        offsets: The number of filter offsets that follow in im2col mode; 0 in tile mode.

    Raises:
        Unsupported: See `_decode_copies`.
    """
    multicast, flag = 3 + rank + offsets, 5 + rank + offsets
    barriers, targets = (np.broadcast_to(shared_pointers(call, place), (call.lanes.n,)) for place in (1, 0))
    moved = slice(3 + rank, 3 + rank + offsets) if offsets else None
    for copy in _decode_copies(call, 2, slice(3, 3 + rank), moved):
        sizes = np.zeros(copy.runs.n, np.int64)
        sizes[copy.inside] = copy.size
        barrier, peers = barriers[copy.position], [int(targets[copy.position]) >> PEER_SHIFT]
        if call.values[flag].any():
            mask = int(call.wide(multicast)[copy.position])
            peers = [number + 1 for number in range(16) if mask >> number & 1]
        for peer in peers:
            to = copy.shared | peer << PEER_SHIFT
            place = barrier & OWN | peer << PEER_SHIFT if peer else barrier
            places = call.engine.waits.mbarriers.keys_at(copy.lane, call.site, np.array([place]), None)
            call.engine.copies.begin(copy.runs, call.site, to, copy.outside, copy.size, sizes, kind="barrier")
            call.engine.copies.arrive(copy.lane, call.site, places, copy.box_bytes)


def _store(rank: int, call: Call) -> None:
    """Start copies out of shared memory, of what is in the tensor's bounds; lanes wait for them by groups.

    Faults are reported by `_decode_copies`, which also raises Unsupported.
    """
    for copy in _decode_copies(call, 1, slice(2, 2 + rank), stores=True):
        if len(copy.inside):
            inside, size = copy.runs.sub(copy.inside), np.array([copy.size])
            places = copy.outside[copy.inside], copy.shared[copy.inside]
            call.engine.copies.begin(inside, call.site, *places, copy.size, size, kind="bulk")


def _reduce(rank: int, call: Call) -> None:
    """Start copies out of shared memory that combine each element with the tensor's by an atomic operation.

    Lanes wait for the copies by groups. Elements out of the tensor's bounds are skipped. Faults are reported by
    `_decode_copies`. The call's argument after the coordinates is the operation's index in `REDUCTIONS`.

    Raises:
        Unsupported: Hardware has no such operation on elements of this type; or see `_decode_copies`.
    """
    name = REDUCTIONS[int(call.values[3 + rank][0])]
    for copy in _decode_copies(call, 1, slice(2, 2 + rank), stores=True):
        element, operations = OPERATIONS.get(copy.kind, (None, BITS))
        if element is None or name not in operations:
            raise Unsupported(f"cp.reduce.async.bulk.tensor with {name} on elements of type {copy.kind}")
        access = Access(element)
        element_offsets = np.arange(0, copy.size, access.width)
        inside = copy.runs.sub(np.repeat(copy.inside, len(element_offsets)))
        outside, shared = ((at[copy.inside, None] + element_offsets).reshape(-1) for at in (copy.outside, copy.shared))
        update, size = (operations[name], access), np.array([access.width])
        if inside.n:
            call.engine.copies.begin(inside, call.site, outside, shared, access.width, size, kind="bulk", update=update)


# The tensor is no operand: only the map has its address.
TENSOR = -1
INTO = (MemoryAccess(0, "store"), MemoryAccess(2, "load"), MemoryAccess(TENSOR, "load"))
OUT = (MemoryAccess(0, "load"), MemoryAccess(1, "load"))
copies = partial(stateful, copies=True, proxy=True)
for rank in range(1, 6):
    copies(f"{NAME}.g2s.tile.{rank}d", accesses=INTO)(partial(_load, rank, 0))
    copies(f"{NAME}.s2g.tile.{rank}d", accesses=(*OUT, MemoryAccess(TENSOR, "store")))(partial(_store, rank))
    copies(f"{NAME}.reduce.tile.{rank}d", accesses=(*OUT, MemoryAccess(TENSOR, "atomic")))(partial(_reduce, rank))
    declare_ignored(f"{NAME}.prefetch.tile.{rank}d")
for rank in range(3, 6):
    copies(f"{NAME}.g2s.im2col.{rank}d", accesses=INTO)(partial(_load, rank, rank - 2))
declare_ignored("llvm.nvvm.prefetch.tensormap")
