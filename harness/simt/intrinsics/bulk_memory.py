"""`memcpy`, `memmove`, `memset`, starts of variables' lifetimes, tests of address spaces; nothing asynchronous."""

from collections.abc import Iterator, Sequence
from functools import partial

import numpy as np

from harness.simt.arrays import Array, Booleans, Integers, Taint, distinct
from harness.simt.compile.declarations import MemoryAccess
from harness.simt.compile.registry import declare_ignored, stateful
from harness.simt.intrinsics.handlers import Call, Result
from harness.simt.ir.types import Int, Vector
from harness.simt.ir.values import PEER_SHIFT
from harness.simt.state.allocation import Access
from harness.simt.state.lanes import LaneSet
from harness.simt.state.memory import report_misaligned

__all__: list[str] = []

declare_ignored("llvm.invariant.start")
BYTE = Access(Int(8), 1)
MAX_LENGTH = (1 << 64) - 1
REPORTED_PAST_END = np.uint64(512)  # bytes past the end of an allocation that are accessed and reported


@stateful("llvm.lifetime.start", compiled="begin")
def begin_lifetime(call: Call) -> None:
    """Make all bytes of the local variable that each lane's pointer is in undefined; other pointers are ignored."""
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
    compiled="move",
)
def copy_bytes(call: Call) -> None:
    """Copy bytes as if all were read before any is written, whatever is reported.

    Reported are undefined addresses and lengths, overlaps, except for `memmove` and equal addresses, and addresses that
    are aligned less than promised.
    """
    lengths, apart = _lengths(call, 0, 1), np.abs(call.wide(0) - call.wide(1))
    _report_undefined(call, lengths, 0, 1)
    overlap = np.flatnonzero((apart > 0) & (apart < lengths))
    if len(overlap) and "memmove" not in str(call.site.instruction.attrs["callee"].name):
        call.report("memcpy-overlaps", overlap)
    _check_alignment(call, 1, lengths, "load")
    _check_alignment(call, 0, lengths, "store")
    read = [some.load(some.values[1] + number, BYTE) for number, some in _each_byte(call, lengths)]
    padded, memory = _copies_defined_bytes(call.lanes, lengths, read), call.engine.memory
    for (number, some), (value, taint) in zip(_each_byte(call, lengths), read, strict=True):
        beside = padded[lengths > number]
        memory.store(some.lanes, some.values[0] + number, value, BYTE, call.site, (None, taint), beside)


def _lengths(call: Call, *addresses: int) -> Integers:
    """Return how many bytes each lane copies or fills, as int64: the call's third operand, read as unsigned, but cut
    `REPORTED_PAST_END` bytes after the end of the allocation.

    So accesses past the end are reported and stop soon. Of two pointers the one with more bytes before its end counts.
    If no pointer is in an allocation, at most `REPORTED_PAST_END` bytes are left.

    Args:
        addresses: The operands with the pointers that the lengths start at.
    """
    requested = call.wide(2)
    if requested.dtype == object:  # LLVM takes a length of any width
        requested = np.array([value & MAX_LENGTH for value in requested.tolist()], np.uint64)
    lengths = requested.view(f"u{requested.dtype.itemsize}").astype(np.uint64)
    if not (lengths > REPORTED_PAST_END).any():
        return lengths.astype(np.int64)
    memory, room = call.engine.memory, np.full(call.lanes.n, REPORTED_PAST_END, np.uint64)
    for pointers in (call.wide(address) for address in addresses):
        for pointer in distinct(pointers).tolist():
            allocation, peer = memory.allocation_of(pointer), pointer >> PEER_SHIFT & 0x7F
            offset = -1 if allocation is None else pointer - (peer << PEER_SHIFT) - allocation.base
            if allocation is not None and 0 <= offset < allocation.size:
                room_left = np.uint64(allocation.size - offset) + REPORTED_PAST_END
                room = np.where(pointers == pointer, np.maximum(room, room_left), room)
    return np.minimum(lengths, room).astype(np.int64)


def _report_undefined(call: Call, lengths: Integers, *addresses: int) -> None:
    """Report lanes whose length is undefined, or an address at which they access at least a byte: as an address, once.

    Args:
        addresses: The operands with the pointers.
    """
    taint = call.taint(2)
    some = call.part(np.flatnonzero((lengths > 0) | (False if taint is None else taint != 0)))
    call.engine.observation.emit_taint("address", call.site, some.lanes, some.taint(*addresses, 2))


def _each_byte(call: Call, lengths: Integers) -> Iterator[tuple[int, Call]]:
    """Yield (index of a byte, the call by the lanes whose length exceeds it) for all; checks the time limit."""
    for number in range(int(lengths.max(initial=0))):
        call.engine.check_time()
        yield number, call.part(np.flatnonzero(lengths > number))


def _check_alignment(call: Call, number: int, lengths: Integers, kind: str) -> None:
    """Report lanes that access at least a byte and whose address is aligned less than the call promises for an operand.

    Args:
        number: The position of the operand with the address.
        kind: `load` or `store`.
    """
    aligns = call.site.instruction.attrs.get("aligns", ())
    if aligns and aligns[number] > 1 and (size := int(lengths.max(initial=0))):
        some, access = call.part(np.flatnonzero(lengths > 0)), Access(Vector(size, Int(8)), aligns[number])
        report_misaligned(call.engine.memory, some.lanes, some.values[number], access, call.site, kind)


def _copies_defined_bytes(lanes: LaneSet, lengths: Integers, read: Sequence[tuple[Array, Taint]]) -> Booleans:
    """Return for each lane whether some of its bytes are defined and some undefined: the latter may be padding.

    Args:
        read: For each byte, of the lanes whose length exceeds its index: the value and its taint.
    """
    undefined, total = np.zeros(lanes.n, np.int64), np.zeros(lanes.n, np.int64)
    for number, (_, taint) in enumerate(read):
        keep = lengths > number
        total[keep] += 1
        if taint is not None:
            undefined[keep] += taint != 0
    return (undefined > 0) & (undefined < total)


@stateful("llvm.memset", "llvm.memset.inline", accesses=(MemoryAccess(0, "store"),), compiled="fill")
def fill_bytes(call: Call) -> None:
    """Set bytes to one value; undefined addresses and lengths, and too little alignment, are reported."""
    lengths = _lengths(call, 0)
    _report_undefined(call, lengths, 0)
    _check_alignment(call, 0, lengths, "store")
    for number, some in _each_byte(call, lengths):
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
