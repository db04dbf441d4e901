"""AMD's loads, stores, atomics and copies to shared memory through a buffer descriptor, and `s_waitcnt`.

A descriptor is four words: the address (two words), the size in bytes, and flags, which are ignored here. Words out of
its bounds read 0 and are not written. Copies to shared memory complete when `s_waitcnt` waits for them. Hardware also
counts plain accesses of global memory; the compiler orders those by itself, so only accesses through descriptors count.
See: https://llvm.org/docs/AMDGPUUsage.html#buffer-resources and, below it, "Relaxed Buffer OOB (Out Of Bounds) Mode";
"Instinct MI300" ISA, section Range Checking: raw buffers compare with `num_records - sgpr_offset`.
"""

from collections.abc import Iterator, Sequence
from functools import partial

import numpy as np

from harness.simt.arrays import Array, Integers, Taint, distinct
from harness.simt.compile.declarations import MemoryAccess
from harness.simt.compile.expanding import expands
from harness.simt.compile.lowering import Lowering, NotKnown
from harness.simt.compile.registry import stateful
from harness.simt.errors import Unsupported
from harness.simt.intrinsics.handlers import Call, Result
from harness.simt.intrinsics.warp import source_positions, warp_members
from harness.simt.ir.module import Const, Operand
from harness.simt.ir.types import Int, Type, Vector, dtype_of, element_of, size_of
from harness.simt.ops.cast import make_converter
from harness.simt.ops.undefined import normalise_taint, slice_taint
from harness.simt.state.allocation import Access

__all__: list[str] = []

NAME = "llvm.amdgcn.raw.ptr.buffer.load.lds"
WORD = Int(32)


def _descriptor_words(descriptor: Array) -> Integers:
    """Return the four words of descriptors, unsigned in int64, the lowest first, (n, 4).

    Each descriptor is a vector of words or a 128-bit pointer.
    """
    if descriptor.ndim == 2:
        vector: Integers = descriptor.astype(np.int64) & 0xFFFFFFFF
        return vector
    return np.array(
        [[int(descriptor_) >> 32 * part & 0xFFFFFFFF for part in range(4)] for descriptor_ in descriptor], np.int64
    )


def _locate(call: Call, descriptor: Array, offsets: Sequence[Array], size: int) -> tuple[Integers, Integers]:
    """Return where lanes access memory through a descriptor: (pointers, how many bytes of each access are in bounds).

    A pointer is the descriptor's address plus all offsets, even if no byte is in bounds. All offsets, unsigned and 32
    bits wide, are checked against the descriptor's size, the scalar one included. An access of several words is checked
    word by word, from the first one on, so that the bytes are whole words. If `size` is no multiple of 4, all of it is
    in bounds or nothing.
    """
    words, unsigned_offsets = _descriptor_words(descriptor), [value.astype(np.int64) & 0xFFFFFFFF for value in offsets]
    at, each, every = np.sum(np.broadcast_arrays(*unsigned_offsets), 0), size if size % 4 else 4, (call.lanes.n,)
    inside = np.clip((words[:, 2] - at) // each * each, 0, size)
    return np.broadcast_to((words[:, 1] << 32 | words[:, 0]) + at, every), np.broadcast_to(inside, every)


def _group_by_size(call: Call, inside: Integers, ty: Type) -> Iterator[tuple[Integers, Call, Type]]:
    """Yield, for lanes that access equally many bytes: their positions, the call by them, and the accessed type.

    The type is `ty`, or a vector of words if they access less than `ty`. Lanes that access nothing are left out.

    Args:
        inside: How many bytes each lane accesses.
    """
    for count in distinct(inside[inside > 0]).tolist():
        positions = np.flatnonzero(inside == count)
        yield positions, call.part(positions), ty if count == size_of(ty) else Vector(count // 4, WORD)


def _word_vector(ty: Type) -> Vector:
    return Vector(size_of(ty) // 4, WORD)


LOADS = tuple(f"llvm.amdgcn.raw.{word}buffer.load" for word in ("", "ptr."))
STORES = tuple(f"llvm.amdgcn.raw.{word}buffer.store" for word in ("", "ptr."))


@stateful(*LOADS, accesses=(MemoryAccess(0, "load"),), compiled="bring")
def load(call: Call) -> Result:
    """Load through a descriptor, at once; words out of bounds are a defined 0.

    `s_waitcnt` counts the load as one access, although nothing of it is pending.
    """
    descriptor, *offsets, _ = call.values
    ty = call.site.instruction.type
    pointers, inside = _locate(call, descriptor, offsets, size_of(ty))
    length = (ty.length,) if isinstance(ty, Vector) else ()
    result = np.zeros((call.lanes.n, *length), dtype_of(element_of(ty)))
    marks = np.zeros((call.lanes.n, size_of(ty)), np.int32)
    call.engine.copies.commit(call.lanes)
    for positions, some, accessed_type in _group_by_size(call, inside, ty):
        loaded, mark = some.load(pointers[positions], _access(accessed_type), some.taint(0, 1, 2))
        if accessed_type is not ty:
            words = np.zeros((len(positions), size_of(ty) // 4), np.int32)
            words[:, : loaded.shape[1]] = loaded
            loaded = make_converter("bitcast", _word_vector(ty), ty)(words)
        result[positions] = loaded
        if mark is not None:
            marks[positions, : size_of(accessed_type)] = mark if mark.ndim == 2 else mark[:, None]
    return result, normalise_taint(marks)


def _access(ty: Type) -> Access:
    return Access(ty, min(4, size_of(element_of(ty))))


@stateful(*STORES, accesses=(MemoryAccess(1, "store"),), compiled="put")
def store(call: Call) -> None:
    """Store through a descriptor, at once; words out of bounds are dropped without a report.

    `s_waitcnt` counts the store as one access, although nothing of it is pending.
    """
    _, descriptor, *offsets, _ = call.values
    ty: Type = call.site.instruction.operands[0].type
    pointers, inside = _locate(call, descriptor, offsets, size_of(ty))
    call.engine.copies.commit(call.lanes)
    for positions, some, accessed_type in _group_by_size(call, inside, ty):
        values, mark = some.values[0], some.taint(0)
        if accessed_type is not ty:
            values = np.ascontiguousarray(
                make_converter("bitcast", ty, _word_vector(ty))(values)[:, : size_of(accessed_type) // 4]
            )
            mark = slice_taint(mark, 0, size_of(accessed_type))
        some.store(pointers[positions], values, _access(accessed_type), (some.taint(1, 2, 3), mark))


# By the last part of the name: the operation of LLVM's `atomicrmw`.
UPDATES = {
    **{name: name for name in ("add", "sub", "and", "or", "xor", "umin", "umax", "fadd", "fmin", "fmax")},
    "swap": "xchg",
    "smin": "min",
    "smax": "max",
    "inc": "uinc_wrap",
    "dec": "udec_wrap",
    "cond.sub.u32": "usub_cond",
    "sub.clamp.u32": "usub_sat",
}
DEVICE = "device"


def _update(operation: str, call: Call) -> Result:
    """Run an operation of `atomicrmw` at device scope through a descriptor, at once, and return the old value.

    Lanes that are not wholly in bounds get 0 and change nothing. `s_waitcnt` counts the operation as one access.
    """
    value, descriptor, *offsets, _ = call.values
    return _run_atomic(call, operation, value, (descriptor, offsets), (call.taint(1, 2, 3), call.taint(0)))


def _exchange(call: Call) -> Result:
    """Compare and exchange at device scope through a descriptor, at once, and return the old value alone.

    Lanes that are not wholly in bounds get 0 and change nothing. `s_waitcnt` counts the operation as one access.
    """
    new, expected, descriptor, *offsets, _ = call.values
    pairs = np.stack(np.broadcast_arrays(expected, new), 1)
    return _run_atomic(call, "cmpxchg", pairs, (descriptor, offsets), (call.taint(2, 3, 4), call.taint(0, 1)))


def _run_atomic(
    call: Call, operation: str, values: Array, where: tuple[Array, Sequence[Array]], taints: tuple[Taint, Taint]
) -> Result:
    ty = call.site.instruction.type
    pointers, inside = _locate(call, *where, size_of(ty))
    length = (ty.length,) if isinstance(ty, Vector) else ()
    result = np.zeros((call.lanes.n, *length), dtype_of(element_of(ty)))
    marks = np.zeros(call.lanes.n, np.int32)
    call.engine.copies.commit(call.lanes)
    positions = np.flatnonzero(inside == size_of(ty))
    if len(positions):
        operands = values[positions] if len(values) > 1 else values
        mine = [taint if taint is None or len(taint) == 1 else taint[positions] for taint in taints]
        old, mark = call.engine.atomics.update(
            call.part(positions).lanes,
            operation,
            pointers[positions],
            operands,
            _access(ty),
            call.site,
            (mine[0], mine[1]),
            DEVICE,
        )
        result[positions] = old
        if mark is not None:
            marks[positions] = mark
    return result, marks if marks.any() else None


for word in ("", "ptr."):
    start = f"llvm.amdgcn.raw.{word}buffer.atomic"
    for name, operation in UPDATES.items():
        stateful(f"{start}.{name}", accesses=(MemoryAccess(1, "atomic"),))(partial(_update, operation))
    stateful(f"{start}.cmpswap", accesses=(MemoryAccess(2, "atomic"),))(_exchange)


@expands("llvm.amdgcn.make.buffer.rsrc")
def make_descriptor(low: Lowering, pointer: Operand, stride: Operand, count: Operand, flags: Operand) -> Operand:
    """Emit code that returns the descriptor of a buffer, an i128: the 64 bits of `pointer` lowest, then 32 each of
    `count`, the size in bytes, and of `flags`.

    Raises `NotKnown` unless `stride` is the constant 0.
    """
    if not isinstance(stride, Const) or stride.value:
        raise NotKnown
    base = low.op("ptrtoint", Int(64), pointer)
    words = [low.cast(base, WORD), low.cast(low.op("lshr", Int(64), base, Const(Int(64), 32)), WORD)]
    words += [low.cast(count, WORD), low.cast(flags, WORD)]
    return low.op("bitcast", Int(128), low.build_vector(words, Vector(4, WORD)))


@stateful(
    NAME, accesses=(MemoryAccess(1, "store"), MemoryAccess(0, "load")), exchanges=True, copies=True, compiled="spread"
)
def load_to_shared(call: Call) -> None:
    """Start an asynchronous copy to shared memory: the lane with the number i in its wave fills slot i, counted from
    the address of the wave's lowest active lane plus the constant offset.

    A slot has the copy's size, and those of inactive lanes stay unwritten. Lanes whose address differs from the lowest
    lane's are reported. What is out of the descriptor's bounds is filled with 0. The copy is one access that
    `s_waitcnt` awaits.

    Raises:
        Unsupported: The size is no multiple of 4 bytes.
    """
    descriptor, _, size, offset, more, fixed, _ = call.values
    lanes, width = call.lanes, int(size[0])
    if width % 4:
        raise Unsupported(NAME, f"{NAME} of {width} bytes is not supported")
    targets = call.wide(1)
    first = targets[source_positions(lanes, warp_members(lanes, np.array([-1])).argmax(1))]
    differing = np.flatnonzero(first != targets)
    if len(differing):
        call.report("buffer-to-shared.pointer", differing)
    places, allowed = _locate(call, descriptor, (offset, more, fixed), width)
    pointers = np.where(allowed > 0, places, 0)
    slots = first + int(fixed[0]) + width * lanes.get("lane").astype(np.int64)
    call.engine.copies.begin(lanes, call.site, slots, pointers, width, allowed, (call.taint(1), call.taint(0, 3, 4)))
    call.engine.copies.commit(lanes)


@stateful("llvm.amdgcn.s.waitcnt", compiled="counted")
def wait(call: Call) -> None:
    """Complete the lanes' copies to shared memory, but not those among each lane's last n accesses through descriptors.

    n is `vmcnt`: bits 0 to 3 of the operand, and bits 14 and 15 above these; its other counters are ignored. Loads,
    stores and atomics are counted, but have completed already.
    """
    counters = int(call.values[0][0])
    call.engine.copies.wait(call.lanes, counters & 15 | counters >> 10 & 0x30)
