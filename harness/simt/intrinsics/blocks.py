"""Block moves of memory, lifetimes, and questions about address spaces."""

from collections.abc import Sequence
from typing import TypeAlias

import numpy as np

from harness.simt.arrays import Array, Booleans, Integers, Taint
from harness.simt.compile.declarations import MemoryAccess
from harness.simt.compile.registry import ignored, stateful
from harness.simt.intrinsics.handlers import Given, Marks, Result, Stateful
from harness.simt.ir.site import Site
from harness.simt.ir.types import Int, Vector
from harness.simt.run.engine import Engine
from harness.simt.state.allocation import Access
from harness.simt.state.checked_access import report_misaligned
from harness.simt.state.lanes import LaneSet

__all__: list[str] = []

ignored("llvm.invariant.start")
BYTE = Access(Int(8), 1)
# Which of some values to keep.
Keep: TypeAlias = Integers | slice


@stateful("llvm.lifetime.start")
def begin(engine: Engine, lanes: LaneSet, site: Site, values: Given, _taints: Marks) -> Result:
    """A local variable's bytes become undefined."""
    if engine.observation.tracked:
        allocation = engine.memory.find(int(values[-1][0]))
        if allocation is not None and allocation.rows == "lane":
            engine.memory.begin_life(lanes, allocation.number, site)
    return None, None


def _length(engine: Engine, lanes: LaneSet, site: Site, values: Array) -> Integers:
    return np.broadcast_to(values, (lanes.n,)).astype(np.int64)


@stateful(
    "llvm.memcpy",
    "llvm.memmove",
    "llvm.memcpy.inline",
    accesses=(MemoryAccess(0, "store"), MemoryAccess(1, "load")),
)
def move(engine: Engine, lanes: LaneSet, site: Site, values: Given, taints: Marks) -> Result:
    """Copies bytes, as if all were read before one is written."""
    target, source, length = values[:3]
    lengths = _length(engine, lanes, site, length)
    _promised(engine, lanes, site, 1, source, lengths, "load")
    _promised(engine, lanes, site, 0, target, lengths, "store")
    read = []
    for number in range(int(lengths.max(initial=0))):
        engine.check_time()
        some, keep = _those(lanes, lengths > number)
        at = _part(source, keep) + number
        if engine.observation.tracked:
            read.append(engine.memory.load_tainted(some, at, None, BYTE, site))
        else:
            read.append((engine.memory.load(some, at, BYTE, site), None))
    padded = _padded(lanes, lengths, read)
    for number, (value, taint) in enumerate(read):
        engine.check_time()
        some, keep = _those(lanes, lengths > number)
        at = _part(target, keep) + number
        engine.memory.store(some, at, value, BYTE, site, (None, taint), padded[keep])
    return None, None


def _promised(
    engine: Engine, lanes: LaneSet, site: Site, number: int, pointers: Array, lengths: Integers, kind: str
) -> None:
    """Reports the lanes whose address is aligned less than the call promises of an operand."""
    aligns = site.instruction.attrs.get("aligns", ())
    if aligns and aligns[number] > 1 and (size := int(lengths.max(initial=0))):
        some, keep = _those(lanes, lengths > 0)
        report_misaligned(
            engine.memory, some, _part(pointers, keep), Access(Vector(size, Int(8)), aligns[number]), site, kind
        )


def _padded(lanes: LaneSet, lengths: Integers, read: Sequence[tuple[Array, Taint]]) -> Booleans:
    """The lanes that copy defined bytes too: what is undefined beside them may be padding."""
    undefined, total = np.zeros(lanes.n, np.int64), np.zeros(lanes.n, np.int64)
    for number, (_, taint) in enumerate(read):
        keep = lengths > number
        total[keep] += 1
        if taint is not None:
            undefined[keep] += taint != 0
    return (undefined > 0) & (undefined < total)


@stateful("llvm.memset", "llvm.memset.inline", accesses=(MemoryAccess(0, "store"),))
def fill(engine: Engine, lanes: LaneSet, site: Site, values: Given, taints: Marks) -> Result:
    """Sets bytes to one value."""
    target, value, length = values[:3]
    lengths = _length(engine, lanes, site, length)
    _promised(engine, lanes, site, 0, target, lengths, "store")
    taint = taints[1] if taints else None
    for number in range(int(lengths.max(initial=0))):
        engine.check_time()
        some, keep = _those(lanes, lengths > number)
        mark = taint if taint is None or len(taint) == 1 else taint[keep]
        engine.memory.store(some, _part(target, keep) + number, _part(value, keep), BYTE, site, (None, mark))
    return None, None


def _those(lanes: LaneSet, condition: Booleans) -> tuple[LaneSet, Keep]:
    if condition.all():
        return lanes, slice(None)
    keep = np.flatnonzero(condition)
    return lanes.sub(keep), keep


def _part(values: Array, keep: Keep) -> Array:
    return values if len(values) == 1 else values[keep]


def _is_space(space: tuple[str, ...]) -> Stateful:
    def handler(engine: Engine, lanes: LaneSet, _site: Site, values: Given, taints: Marks) -> Result:
        answers = []
        for pointer in np.atleast_1d(values[0]).tolist():
            allocation = engine.memory.find(pointer)
            answers.append(allocation is not None and allocation.space in space)
        return np.array(answers), taints[0] if taints else None

    return handler


for name, spaces in {
    "llvm.nvvm.isspacep.global": ("global",),
    "llvm.nvvm.isspacep.shared": ("shared",),
    "llvm.nvvm.isspacep.shared.cluster": ("shared",),
    "llvm.nvvm.isspacep.const": ("constant",),
    "llvm.nvvm.isspacep.local": ("private",),
    "llvm.amdgcn.is.shared": ("shared",),
    "llvm.amdgcn.is.private": ("private",),
}.items():
    stateful(name)(_is_space(spaces))
