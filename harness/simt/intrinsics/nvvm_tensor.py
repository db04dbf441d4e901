"""NVIDIA's copies of a box of a tensor, `cp.async.bulk.tensor`: one thread, a tensor map and coordinates.

What of a box is out of the tensor's bounds is zero when it is loaded, counts all the same, and is left out when it is
stored, or reduced into the tensor. In im2col mode the box is a column: pixels between two corners, with some channels
of each, moved by where in the filter they are.

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
# How copies reduce, by number; and which of LLVM's `atomicrmw` that is, by the type of the map's elements.
REDUCTIONS = ("add", "min", "max", "inc", "dec", "and", "or", "xor")
BITS = {"add": "add", "and": "and", "or": "or", "xor": "xor"}
SIGNED = BITS | {"min": "min", "max": "max"}
UNSIGNED = BITS | {"min": "umin", "max": "umax"}
SHORT = {"add": "fadd", "min": "fmin", "max": "fmax"}
OPERATIONS: dict[int, tuple[Type, dict[str, str]]] = {
    2: (Int(32), UNSIGNED | {"inc": "uinc_wrap", "dec": "udec_wrap"}),
    3: (Int(32), SIGNED),
    4: (Int(64), UNSIGNED),
    5: (Int(64), {"min": "min", "max": "max"}),  # an H200 takes the others for an illegal instruction
    6: (Float("half"), SHORT),
    7: (Float("float"), {"add": "fadd"}),
    8: (Float("double"), {"add": "fadd"}),
    9: (Float("bfloat"), SHORT),
}


@dataclass(slots=True, eq=False)
class _Copy:
    """What one lane copies.

    Attributes:
        position: Of the lane among those that call.
        lane: It alone.
        pieces: It once for each piece.
        size: Bytes of a piece.
        shared: Where the pieces are in the shared memory of its block.
        outside: Where they are in global memory.
        here: The pieces that are in the tensor's bounds.
        whole: Bytes of the box.
        kind: Of its elements; see `Box`.
    """

    position: int
    lane: LaneSet
    pieces: LaneSet
    size: int
    shared: Integers
    outside: Integers
    here: Integers
    whole: int
    kind: int


def _check(call: Call, here: Integers, box: Box, at: list[int], stores: bool) -> None:
    """Reports a box that hardware copies otherwise than its map says, or not at all.

    See: https://docs.nvidia.com/cuda/cuda-c-programming-guide/ (negative indices), and for the rest
    docs/instructions.md.
    """
    first, row = at[0] * box.element, box.sizes[0] * box.element
    end = first + box.counts[0] * box.element
    told = {"place": at[0], "offset": first, "granule": GRANULE, "size": -row % GRANULE}
    if first % GRANULE:
        call.report("tensor-copy.place", here, values=told)
    elif stores and min(at) < 0:
        call.report("tensor-copy.negative", here, values={"place": min(at)})
    elif stores and row % GRANULE and first < row < end:
        call.report("tensor-copy.rest", here, "warning", values=told)


def _copies(
    call: Call, maps: int, coordinates: slice, offsets: slice | None = None, stores: bool = False
) -> Iterator[_Copy]:
    """The copies of some lanes; what is no map or misaligned is reported.

    Args:
        maps: The argument with the map; the first has the place in shared memory.
        coordinates: Those of the box.
        offsets: In im2col mode, where in the filter; else None.
        stores: Whether they are out of shared memory.
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
        here = np.array([position])
        box = Box.decode(np.ascontiguousarray(words[position % len(words)]).tobytes())
        if box is None or len(box.sizes) != len(places) or (box.corners is None) != (offsets is None):
            wanted = {"rank": len(places), "mode": mode}
            call.report("tensor-copy.map", here, values=wanted)
            continue
        if box.swizzle and box.box[0] * box.element != box.swizzle:
            raise Unsupported("cp.async.bulk.tensor of a box whose rows are narrower than its swizzle")
        start = int(engine.window.address(shared[here] & OWN)[0])
        if start % ALIGN:
            call.report("tensor-copy.alignment", here, values={"granule": ALIGN})
        at = [int(values[position]) for values in places]
        _check(call, here, box, at, stores)
        size, inner, outside, inside = box.split_copy(at, [int(values[position]) & 0xFFFF for values in moved], stores)
        lane = lanes.sub(here)
        every, to = lane.sub(np.zeros(len(inner), np.int64)), engine.window.pointer(box.apply_swizzle(start + inner))
        yield _Copy(position, lane, every, size, to, outside, np.flatnonzero(inside), box.bytes, box.kind)


def _load(rank: int, offsets: int, call: Call) -> None:
    """A copy into shared memory, of one block or of those of its cluster that a mask names.

    Args:
        offsets: In im2col mode, how many follow the coordinates.
    """
    multicast, flag = 3 + rank + offsets, 5 + rank + offsets
    barriers, targets = (np.broadcast_to(shared_pointers(call, place), (call.lanes.n,)) for place in (1, 0))
    moved = slice(3 + rank, 3 + rank + offsets) if offsets else None
    for copy in _copies(call, 2, slice(3, 3 + rank), moved):
        given = np.zeros(copy.pieces.n, np.int64)
        given[copy.here] = copy.size
        own, peers = barriers[copy.position], [int(targets[copy.position]) >> PEER_SHIFT]
        if call.values[flag].any():
            mask = int(call.wide(multicast)[copy.position])
            peers = [number + 1 for number in range(16) if mask >> number & 1]
        for peer in peers:
            to = copy.shared | peer << PEER_SHIFT
            place = own & OWN | peer << PEER_SHIFT if peer else own
            places = call.engine.waits.mbarriers.keys_at(copy.lane, call.site, np.array([place]), None)
            call.engine.copies.begin(copy.pieces, call.site, to, copy.outside, copy.size, given, kind="barrier")
            call.engine.copies.arrive(copy.lane, call.site, places, copy.whole)


def _store(rank: int, call: Call) -> None:
    """A copy out of shared memory: lanes wait by groups."""
    for copy in _copies(call, 1, slice(2, 2 + rank), stores=True):
        if len(copy.here):
            inside, size = copy.pieces.sub(copy.here), np.array([copy.size])
            places = copy.outside[copy.here], copy.shared[copy.here]
            call.engine.copies.begin(inside, call.site, *places, copy.size, size, kind="bulk")


def _reduce(rank: int, call: Call) -> None:
    """A copy out of shared memory whose elements are combined with the tensor's, each by itself."""
    name = REDUCTIONS[int(call.values[3 + rank][0])]
    for copy in _copies(call, 1, slice(2, 2 + rank), stores=True):
        element, operations = OPERATIONS.get(copy.kind, (None, BITS))
        if element is None or name not in operations:
            raise Unsupported(f"cp.reduce.async.bulk.tensor with {name} on elements of type {copy.kind}")
        access = Access(element)
        parts = np.arange(0, copy.size, access.width)
        inside = copy.pieces.sub(np.repeat(copy.here, len(parts)))
        outside, shared = ((at[copy.here, None] + parts).reshape(-1) for at in (copy.outside, copy.shared))
        update, size = (operations[name], access), np.array([access.width])
        if inside.n:
            call.engine.copies.begin(inside, call.site, outside, shared, access.width, size, kind="bulk", update=update)


# The tensor is nowhere among the operands: it is behind the map.
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
