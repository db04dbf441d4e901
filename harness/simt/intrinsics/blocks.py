"""Block moves of memory, lifetimes, and questions about address spaces."""

from collections.abc import Iterator, Sequence
from functools import partial

import numpy as np

from harness.simt.arrays import Array, Booleans, Integers, Taint, distinct
from harness.simt.compile.declarations import MemoryAccess
from harness.simt.compile.registry import declare_ignored, stateful
from harness.simt.intrinsics.handlers import Call, Result
from harness.simt.ir.types import Int, Vector
from harness.simt.state.allocation import Access
from harness.simt.state.lanes import LaneSet
from harness.simt.state.memory import report_misaligned

__all__: list[str] = []

declare_ignored("llvm.invariant.start")
BYTE = Access(Int(8), 1)
MAX_LENGTH = (1 << 64) - 1
REPORTED_PAST_END = np.uint64(512)  # bytes past the end of an allocation of which each is reported


@stateful("llvm.lifetime.start", native="begin")
def begin(call: Call) -> None:
    """A local variable's bytes become undefined; of a function that calls itself each depth has its own."""
    memory, pointers = call.engine.memory, call.values[-1]
    for pointer in distinct(pointers).tolist():
        allocation = memory.allocation_of(pointer)
        if allocation is not None and allocation.rows == "lane":
            lanes = call.lanes if len(pointers) == 1 else call.lanes.sub(np.flatnonzero(pointers == pointer))
            memory.begin_lifetime(lanes, allocation.number, call.site)


@stateful(
    "llvm.memcpy",
    "llvm.memmove",
    "llvm.memcpy.inline",
    accesses=(MemoryAccess(0, "store"), MemoryAccess(1, "load")),
    native="move",
)
def move(call: Call) -> None:
    """Copies bytes, as if all were read before one is written; LLVM leaves open what `memcpy` makes of an overlap."""
    lengths, apart = _lengths(call, 0, 1), np.abs(call.wide(0) - call.wide(1))
    overlap = np.flatnonzero((apart > 0) & (apart < lengths))
    if len(overlap) and "memmove" not in str(call.site.instruction.attrs["callee"].name):
        call.report("memcpy-overlaps", overlap)
    _promised(call, 1, lengths, "load")
    _promised(call, 0, lengths, "store")
    read = [some.load(some.values[1] + number, BYTE) for number, some in _by_byte(call, lengths)]
    padded, memory = _padded(call.lanes, lengths, read), call.engine.memory
    for (number, some), (value, taint) in zip(_by_byte(call, lengths), read, strict=True):
        beside = padded[lengths > number]
        memory.store(some.lanes, some.values[0] + number, value, BYTE, call.site, (None, taint), beside)


def _lengths(call: Call, *addresses: int) -> Integers:
    """Return how many bytes each lane touches, without a sign.

    A length that leaves the allocation is cut: of the bytes past its end the first ones are touched, and so reported.

    Args:
        addresses: The operands that the length counts from.
    """
    given = call.wide(2)
    if given.dtype == object:  # LLVM takes a length of any width
        given = np.array([value & MAX_LENGTH for value in given.tolist()], np.uint64)
    lengths = given.view(f"u{given.dtype.itemsize}").astype(np.uint64)
    if not (lengths > REPORTED_PAST_END).any():
        return lengths.astype(np.int64)
    memory, room = call.engine.memory, np.full(call.lanes.n, REPORTED_PAST_END, np.uint64)
    for pointers in (call.wide(address) for address in addresses):
        for pointer in distinct(pointers).tolist():
            allocation = memory.allocation_of(pointer)
            if allocation is not None and 0 <= pointer - allocation.base < allocation.size:
                left = np.uint64(allocation.base + allocation.size - pointer) + REPORTED_PAST_END
                room = np.where(pointers == pointer, np.maximum(room, left), room)
    return np.minimum(lengths, room).astype(np.int64)


def _by_byte(call: Call, lengths: Integers) -> Iterator[tuple[int, Call]]:
    """The number of each byte, and the call by those lanes that have one."""
    for number in range(int(lengths.max(initial=0))):
        call.engine.check_time()
        yield number, call.part(np.flatnonzero(lengths > number))


def _promised(call: Call, number: int, lengths: Integers, kind: str) -> None:
    """Reports the lanes whose address is aligned less than the call promises of an operand."""
    aligns = call.site.instruction.attrs.get("aligns", ())
    if aligns and aligns[number] > 1 and (size := int(lengths.max(initial=0))):
        some, access = call.part(np.flatnonzero(lengths > 0)), Access(Vector(size, Int(8)), aligns[number])
        report_misaligned(call.engine.memory, some.lanes, some.values[number], access, call.site, kind)


def _padded(lanes: LaneSet, lengths: Integers, read: Sequence[tuple[Array, Taint]]) -> Booleans:
    """The lanes that copy defined bytes too: what is undefined beside them may be padding."""
    undefined, total = np.zeros(lanes.n, np.int64), np.zeros(lanes.n, np.int64)
    for number, (_, taint) in enumerate(read):
        keep = lengths > number
        total[keep] += 1
        if taint is not None:
            undefined[keep] += taint != 0
    return (undefined > 0) & (undefined < total)


@stateful("llvm.memset", "llvm.memset.inline", accesses=(MemoryAccess(0, "store"),), native="fill")
def fill(call: Call) -> None:
    """Sets bytes to one value."""
    lengths = _lengths(call, 0)
    _promised(call, 0, lengths, "store")
    for number, some in _by_byte(call, lengths):
        some.store(some.values[0] + number, some.values[1], BYTE, (None, some.taint(1)))


def _is_space(space: tuple[str, ...], call: Call) -> Result:
    answers = []
    for pointer in np.atleast_1d(call.values[0]).tolist():
        allocation = call.engine.memory.allocation_of(pointer)
        answers.append(allocation is not None and allocation.space in space)
    return np.array(answers), call.taint(0)


for name, spaces in {
    "llvm.nvvm.isspacep.global": ("global",),
    "llvm.nvvm.isspacep.shared": ("shared",),
    "llvm.nvvm.isspacep.shared.cluster": ("shared",),
    "llvm.nvvm.isspacep.const": ("constant",),
    "llvm.nvvm.isspacep.local": ("private",),
    "llvm.amdgcn.is.shared": ("shared",),
    "llvm.amdgcn.is.private": ("private",),
}.items():
    stateful(name)(partial(_is_space, spaces))
