"""AMD's accesses through a buffer descriptor, where what lies out of its bounds reads 0 and is not written.

A descriptor is four words: the address in two, the bytes that it holds, and flags, of which nothing is used here.
Copies to shared memory arrive when `s_waitcnt` counts them. Hardware counts plain accesses of global memory with
them; the compiler orders those by itself, so here only accesses through descriptors count.
See: https://llvm.org/docs/AMDGPUUsage.html#buffer-resources
"""

from dataclasses import dataclass

import numpy as np

from harness.simt.arrays import Array, Integers, Taint
from harness.simt.compile.declarations import MemoryAccess
from harness.simt.compile.registry import stateful
from harness.simt.errors import Unsupported
from harness.simt.intrinsics.handlers import Given, Marks, Result
from harness.simt.intrinsics.warp import members, sources
from harness.simt.ir.site import Site
from harness.simt.ir.types import Type, Vector, dtype_of, element_of, size_of
from harness.simt.ops.undefined import taints as joined
from harness.simt.run.engine import Engine
from harness.simt.state.allocation import Access
from harness.simt.state.lanes import LaneSet

__all__: list[str] = []

NAME = "llvm.amdgcn.raw.ptr.buffer.load.lds"


@dataclass(slots=True)
class _Place:
    """Where lanes access memory through a descriptor.

    Attributes:
        inside: The positions of those whose access it allows, with their `lanes` and `pointers`.
    """

    inside: Integers
    lanes: LaneSet
    pointers: Integers


def _place(lanes: LaneSet, descriptor: Array, offset: Array, more: Array, size: int) -> _Place:
    """Whose access a descriptor allows.

    Args:
        offset: In bytes, compared with what the descriptor holds; `more` is added and not compared.
    """
    words, at, beyond = (value.astype(np.int64) & 0xFFFFFFFF for value in (descriptor, offset, more))
    pointers = np.broadcast_to((words[:, 1] << 32 | words[:, 0]) + at + beyond, (lanes.n,))
    inside = np.flatnonzero(np.broadcast_to(at + size <= words[:, 2], (lanes.n,)))
    return _Place(inside, lanes if len(inside) == lanes.n else lanes.sub(inside), pointers[inside])


def _mark(taints: Marks, *operands: int) -> Taint:
    return joined(*(taints[operand] for operand in operands)) if taints else None


def _part(value: Array, inside: Integers) -> Array:
    return value if len(value) == 1 else value[inside]


@stateful("llvm.amdgcn.raw.buffer.load", accesses=(MemoryAccess(0, "load"),))
def load(engine: Engine, lanes: LaneSet, site: Site, values: Given, taints: Marks) -> Result:
    """What is there, or 0."""
    descriptor, offset, more, _ = values
    ty = site.instruction.type
    access = Access(ty, min(4, size_of(element_of(ty))))
    place = _place(lanes, descriptor, offset, more, size_of(ty))
    length = (ty.length,) if isinstance(ty, Vector) else ()
    result = np.zeros((lanes.n, *length), dtype_of(element_of(ty)))
    engine.copies.commit(lanes)
    if not len(place.inside):
        return result, None
    address = _mark(taints, 0, 1, 2)
    if not engine.observation.tracked:
        result[place.inside] = engine.memory.load(place.lanes, place.pointers, access, site)
        return result, None
    own = address if address is None or len(address) == 1 else address[place.inside]
    result[place.inside], mark = engine.memory.load_tainted(place.lanes, place.pointers, own, access, site)
    if mark is None:
        return result, None
    spread = np.zeros((lanes.n, *mark.shape[1:]), np.int32)
    spread[place.inside] = mark
    return result, spread


@stateful("llvm.amdgcn.raw.buffer.store", accesses=(MemoryAccess(1, "store"),))
def store(engine: Engine, lanes: LaneSet, site: Site, values: Given, taints: Marks) -> Result:
    """Writes where the descriptor allows it."""
    value, descriptor, offset, more, _ = values
    ty: Type = site.instruction.operands[0].type
    place = _place(lanes, descriptor, offset, more, size_of(ty))
    engine.copies.commit(lanes)
    if len(place.inside):
        marks = (_mark(taints, 1, 2, 3), _mark(taints, 0))
        own = tuple(mark if mark is None else _part(mark, place.inside) for mark in marks)
        access = Access(ty, min(4, size_of(element_of(ty))))
        engine.memory.store(place.lanes, place.pointers, _part(value, place.inside), access, site, (own[0], own[1]))
    return None, None


@stateful(NAME, accesses=(MemoryAccess(1, "store"), MemoryAccess(0, "load")), copies=True)
def load_to_shared(engine: Engine, lanes: LaneSet, site: Site, values: Given, taints: Marks) -> Result:
    """Begins a copy: the lanes of a wave fill neighbouring places from the address that the first of them gives."""
    descriptor, target, size, offset, more, fixed, _ = values
    width = int(size[0])
    if width % 4:
        raise Unsupported(NAME, f"{NAME} of {width} bytes is not supported")
    targets = np.broadcast_to(target, (lanes.n,))
    first = targets[sources(lanes, members(lanes, np.array([-1])).argmax(1))]
    apart = np.flatnonzero(first != targets)
    if len(apart):
        engine.observation.report("buffer-to-shared.pointer", "error", (site,), lanes, apart)
    words = np.array([[int(whole) >> 32 * part & 0xFFFFFFFF for part in range(4)] for whole in descriptor], np.int64)
    place = _place(lanes, words, offset, more + fixed, width)
    given, pointers = np.zeros(lanes.n, np.int64), np.zeros(lanes.n, np.int64)
    given[place.inside], pointers[place.inside] = width, place.pointers
    slots = first + int(fixed[0]) + width * lanes.get("lane").astype(np.int64)
    marks = (taints[1], _mark(taints, 0, 3, 4)) if taints else (None, None)
    engine.copies.begin(lanes, site, slots, pointers, width, given, marks)
    engine.copies.commit(lanes)
    return None, None


@stateful("llvm.amdgcn.s.waitcnt")
def wait(engine: Engine, lanes: LaneSet, _site: Site, values: Given, _taints: Marks) -> Result:
    """Waits until no more than so many accesses through descriptors are under way, in the order they began."""
    counters = int(values[0][0])
    engine.copies.wait(lanes, counters & 15 | counters >> 10 & 0x30)
    return None, None
