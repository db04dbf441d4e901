"""AMD's accesses through a buffer descriptor, where what lies out of its bounds reads 0 and is not written.

A descriptor is four words: the address in two, the bytes that it holds, and flags, of which nothing is used here.
Copies to shared memory arrive when `s_waitcnt` counts them. Hardware counts plain accesses of global memory with
them; the compiler orders those by itself, so here only accesses through descriptors count.
See: https://llvm.org/docs/AMDGPUUsage.html#buffer-resources
"""

import numpy as np

from harness.simt.arrays import Array, Integers
from harness.simt.compile.declarations import MemoryAccess
from harness.simt.compile.registry import stateful
from harness.simt.errors import Unsupported
from harness.simt.intrinsics.handlers import Call, Result
from harness.simt.intrinsics.warp import members, sources
from harness.simt.ir.types import Type, Vector, dtype_of, element_of, size_of
from harness.simt.state.allocation import Access

__all__: list[str] = []

NAME = "llvm.amdgcn.raw.ptr.buffer.load.lds"


def _place(call: Call, descriptor: Array, offset: Array, more: Array, size: int) -> tuple[Integers, Integers, Call]:
    """Where lanes access memory through a descriptor.

    Args:
        offset: In bytes, compared with what the descriptor holds; `more` is added and not compared.

    Returns:
        The positions of those whose access it allows, their pointers, and the call by them alone.
    """
    words, at, beyond = (value.astype(np.int64) & 0xFFFFFFFF for value in (descriptor, offset, more))
    pointers = np.broadcast_to((words[:, 1] << 32 | words[:, 0]) + at + beyond, (call.lanes.n,))
    inside = np.flatnonzero(np.broadcast_to(at + size <= words[:, 2], (call.lanes.n,)))
    return inside, pointers[inside], call.part(inside)


@stateful("llvm.amdgcn.raw.buffer.load", accesses=(MemoryAccess(0, "load"),), native="bring")
def load(call: Call) -> Result:
    """What is there, or 0."""
    descriptor, offset, more, _ = call.values
    ty = call.site.instruction.type
    inside, pointers, some = _place(call, descriptor, offset, more, size_of(ty))
    length = (ty.length,) if isinstance(ty, Vector) else ()
    result = np.zeros((call.lanes.n, *length), dtype_of(element_of(ty)))
    call.engine.copies.commit(call.lanes)
    if not len(inside):
        return result, None
    result[inside], mark = some.load(pointers, _access(ty), some.taint(0, 1, 2))
    if mark is None:
        return result, None
    spread = np.zeros((call.lanes.n, *mark.shape[1:]), np.int32)
    spread[inside] = mark
    return result, spread


def _access(ty: Type) -> Access:
    return Access(ty, min(4, size_of(element_of(ty))))


@stateful("llvm.amdgcn.raw.buffer.store", accesses=(MemoryAccess(1, "store"),), native="put")
def store(call: Call) -> None:
    """Writes where the descriptor allows it."""
    _, descriptor, offset, more, _ = call.values
    ty: Type = call.site.instruction.operands[0].type
    inside, pointers, some = _place(call, descriptor, offset, more, size_of(ty))
    call.engine.copies.commit(call.lanes)
    if len(inside):
        some.store(pointers, some.values[0], _access(ty), (some.taint(1, 2, 3), some.taint(0)))


@stateful(
    NAME,
    accesses=(MemoryAccess(1, "store"), MemoryAccess(0, "load")),
    exchanges=True,
    copies=True,
    native="spread",
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
    words = np.array([[int(whole) >> 32 * part & 0xFFFFFFFF for part in range(4)] for whole in descriptor], np.int64)
    inside, inner, _ = _place(call, words, offset, more + fixed, width)
    given, pointers = np.zeros(lanes.n, np.int64), np.zeros(lanes.n, np.int64)
    given[inside], pointers[inside] = width, inner
    slots = first + int(fixed[0]) + width * lanes.get("lane").astype(np.int64)
    call.engine.copies.begin(lanes, call.site, slots, pointers, width, given, (call.taint(1), call.taint(0, 3, 4)))
    call.engine.copies.commit(lanes)


@stateful("llvm.amdgcn.s.waitcnt", native="counted")
def wait(call: Call) -> None:
    """Waits until no more than so many accesses through descriptors are under way, in the order they began."""
    counters = int(call.values[0][0])
    call.engine.copies.wait(call.lanes, counters & 15 | counters >> 10 & 0x30)
