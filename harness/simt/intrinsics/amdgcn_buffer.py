"""AMD's accesses through a buffer descriptor, where words that lie out of its bounds read 0 and are not written.

A descriptor is four words: the address in two, the bytes that it holds, and flags, of which nothing is used here.
Copies to shared memory arrive when `s_waitcnt` counts them. Hardware counts plain accesses of global memory with
them; the compiler orders those by itself, so here only accesses through descriptors count.
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
from harness.simt.intrinsics.warp import members, sources
from harness.simt.ir.module import Const, Operand
from harness.simt.ir.types import Int, Type, Vector, dtype_of, element_of, size_of
from harness.simt.ops.cast import make_converter
from harness.simt.ops.undefined import normalise_taint, slice_taint
from harness.simt.state.allocation import Access

__all__: list[str] = []

NAME = "llvm.amdgcn.raw.ptr.buffer.load.lds"
WORD = Int(32)


def _words(descriptor: Array) -> Integers:
    """Return the four words of a descriptor, which is a vector of them or a pointer of 128 bits."""
    if descriptor.ndim == 2:
        vector: Integers = descriptor.astype(np.int64) & 0xFFFFFFFF
        return vector
    return np.array([[int(whole) >> 32 * part & 0xFFFFFFFF for part in range(4)] for whole in descriptor], np.int64)


def _place(call: Call, descriptor: Array, offsets: Sequence[Array], size: int) -> tuple[Integers, Integers]:
    """Where lanes access memory through a descriptor, (pointers, how many bytes of each it allows).

    All offsets count against what the descriptor holds, that of the scalar register too; of more than a word each
    word by itself does, from the first one on.
    """
    words, parts = _words(descriptor), [value.astype(np.int64) & 0xFFFFFFFF for value in offsets]
    at, each, every = np.sum(np.broadcast_arrays(*parts), 0), size if size % 4 else 4, (call.lanes.n,)
    inside = np.clip((words[:, 2] - at) // each * each, 0, size)
    return np.broadcast_to((words[:, 1] << 32 | words[:, 0]) + at, every), np.broadcast_to(inside, every)


def _by_words(call: Call, inside: Integers, ty: Type) -> Iterator[tuple[Integers, Call, Type]]:
    """The positions of the lanes that access as many bytes, the call by them, and the type of these; not of none."""
    for count in distinct(inside[inside > 0]).tolist():
        here = np.flatnonzero(inside == count)
        yield here, call.part(here), ty if count == size_of(ty) else Vector(count // 4, WORD)


def _as_words(ty: Type) -> Vector:
    return Vector(size_of(ty) // 4, WORD)


LOADS = tuple(f"llvm.amdgcn.raw.{word}buffer.load" for word in ("", "ptr."))
STORES = tuple(f"llvm.amdgcn.raw.{word}buffer.store" for word in ("", "ptr."))


@stateful(*LOADS, accesses=(MemoryAccess(0, "load"),), native="bring")
def load(call: Call) -> Result:
    """What is there, or 0."""
    descriptor, *offsets, _ = call.values
    ty = call.site.instruction.type
    pointers, inside = _place(call, descriptor, offsets, size_of(ty))
    length = (ty.length,) if isinstance(ty, Vector) else ()
    result = np.zeros((call.lanes.n, *length), dtype_of(element_of(ty)))
    marks = np.zeros((call.lanes.n, size_of(ty)), np.int32)
    call.engine.copies.commit(call.lanes)
    for here, some, own in _by_words(call, inside, ty):
        found, mark = some.load(pointers[here], _access(own), some.taint(0, 1, 2))
        if own is not ty:
            words = np.zeros((len(here), size_of(ty) // 4), np.int32)
            words[:, : found.shape[1]] = found
            found = make_converter("bitcast", _as_words(ty), ty)(words)
        result[here] = found
        if mark is not None:
            marks[here, : size_of(own)] = mark if mark.ndim == 2 else mark[:, None]
    return result, normalise_taint(marks)


def _access(ty: Type) -> Access:
    return Access(ty, min(4, size_of(element_of(ty))))


@stateful(*STORES, accesses=(MemoryAccess(1, "store"),), native="put")
def store(call: Call) -> None:
    """Writes where the descriptor allows it."""
    _, descriptor, *offsets, _ = call.values
    ty: Type = call.site.instruction.operands[0].type
    pointers, inside = _place(call, descriptor, offsets, size_of(ty))
    call.engine.copies.commit(call.lanes)
    for here, some, own in _by_words(call, inside, ty):
        values, mark = some.values[0], some.taint(0)
        if own is not ty:
            values = np.ascontiguousarray(make_converter("bitcast", ty, _as_words(ty))(values)[:, : size_of(own) // 4])
            mark = slice_taint(mark, 0, size_of(own))
        some.store(pointers[here], values, _access(own), (some.taint(1, 2, 3), mark))


# By the last part of a name the operation of LLVM's `atomicrmw`.
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
    """Combine a value with what is there and return that; out of bounds nothing is changed, and 0 is returned."""
    value, descriptor, *offsets, _ = call.values
    return _atomically(call, operation, value, (descriptor, offsets), (call.taint(1, 2, 3), call.taint(0)))


def _exchange(call: Call) -> Result:
    """Put a value where another one is and return what was there."""
    new, expected, descriptor, *offsets, _ = call.values
    pairs = np.stack(np.broadcast_arrays(expected, new), 1)
    return _atomically(call, "cmpxchg", pairs, (descriptor, offsets), (call.taint(2, 3, 4), call.taint(0, 1)))


def _atomically(
    call: Call, operation: str, values: Array, where: tuple[Array, Sequence[Array]], taints: tuple[Taint, Taint]
) -> Result:
    ty = call.site.instruction.type
    pointers, inside = _place(call, *where, size_of(ty))
    length = (ty.length,) if isinstance(ty, Vector) else ()
    result = np.zeros((call.lanes.n, *length), dtype_of(element_of(ty)))
    marks = np.zeros(call.lanes.n, np.int32)
    call.engine.copies.commit(call.lanes)
    here = np.flatnonzero(inside == size_of(ty))
    if len(here):
        given = values[here] if len(values) > 1 else values
        mine = [taint if taint is None or len(taint) == 1 else taint[here] for taint in taints]
        old, mark = call.engine.atomics.update(
            call.part(here).lanes, operation, pointers[here], given, _access(ty), call.site, (mine[0], mine[1]), DEVICE
        )
        result[here] = old
        if mark is not None:
            marks[here] = mark
    return result, marks if marks.any() else None


for word in ("", "ptr."):
    start = f"llvm.amdgcn.raw.{word}buffer.atomic"
    for name, operation in UPDATES.items():
        stateful(f"{start}.{name}", accesses=(MemoryAccess(1, "atomic"),))(partial(_update, operation))
    stateful(f"{start}.cmpswap", accesses=(MemoryAccess(2, "atomic"),))(_exchange)


@expands("llvm.amdgcn.make.buffer.rsrc")
def describe(low: Lowering, pointer: Operand, stride: Operand, count: Operand, flags: Operand) -> Operand:
    """Return the descriptor of a buffer without a stride."""
    if not isinstance(stride, Const) or stride.value:
        raise NotKnown
    base = low.op("ptrtoint", Int(64), pointer)
    words = [low.cast(base, WORD), low.cast(low.op("lshr", Int(64), base, Const(Int(64), 32)), WORD)]
    words += [low.cast(count, WORD), low.cast(flags, WORD)]
    return low.op("bitcast", Int(128), low.build_vector(words, Vector(4, WORD)))


@stateful(
    NAME, accesses=(MemoryAccess(1, "store"), MemoryAccess(0, "load")), exchanges=True, copies=True, native="spread"
)
def load_to_shared(call: Call) -> None:
    """Begins a copy: the lanes of a wave fill neighbouring places from the address that the first of them gives."""
    descriptor, _, size, offset, more, fixed, _ = call.values
    lanes, width = call.lanes, int(size[0])
    if width % 4:
        raise Unsupported(NAME, f"{NAME} of {width} bytes is not supported")
    targets = call.wide(1)
    first = targets[sources(lanes, members(lanes, np.array([-1])).argmax(1))]
    apart = np.flatnonzero(first != targets)
    if len(apart):
        call.report("buffer-to-shared.pointer", apart)
    places, given = _place(call, descriptor, (offset, more, fixed), width)
    pointers = np.where(given > 0, places, 0)
    slots = first + int(fixed[0]) + width * lanes.get("lane").astype(np.int64)
    call.engine.copies.begin(lanes, call.site, slots, pointers, width, given, (call.taint(1), call.taint(0, 3, 4)))
    call.engine.copies.commit(lanes)


@stateful("llvm.amdgcn.s.waitcnt", native="counted")
def wait(call: Call) -> None:
    """Waits until no more than so many accesses through descriptors are under way, in the order they began."""
    counters = int(call.values[0][0])
    call.engine.copies.wait(call.lanes, counters & 15 | counters >> 10 & 0x30)
