"""NVIDIA's asynchronous copies from global to shared memory, `cp.async`, and their groups.

See: https://docs.nvidia.com/cuda/parallel-thread-execution/#data-movement-and-conversion-instructions-non-bulk-copy
"""

import numpy as np

from harness.simt.arrays import Array, Integers, Taint
from harness.simt.compile.declarations import MemoryAccess
from harness.simt.compile.registry import fence, ignored, stateful
from harness.simt.intrinsics.handlers import Given, Marks, Result, Stateful
from harness.simt.ir.site import Site
from harness.simt.run.engine import Engine
from harness.simt.state.lanes import LaneSet

__all__ = ["shared_pointers"]

NAME = "llvm.nvvm.cp.async"
SIZES = {"ca": (4, 8, 16), "cg": (16,)}


def shared_pointers(engine: Engine, place: Array) -> Integers:
    """Pointers into shared memory, which assembly takes as 32-bit addresses too."""
    return engine.window.pointer(place)


def _copies(target: int, source: int) -> tuple[MemoryAccess, ...]:
    return MemoryAccess(target, "store"), MemoryAccess(source, "load")


def _mark(taints: Marks, operand: int) -> Taint:
    return taints[operand] if taints else None


def _begin(size: int | None, given: int | None) -> Stateful:
    """Copies by lanes.

    Args:
        size: Bytes, or None where the third operand says how many.
        given: The operand with the bytes that are read, or None for all.
    """

    def handler(engine: Engine, lanes: LaneSet, site: Site, values: Given, taints: Marks) -> Result:
        total = int(values[2][0]) if size is None else size
        read = np.array([total]) if given is None else np.minimum(values[given].astype(np.int64) & 0xFFFFFFFF, total)
        places = shared_pointers(engine, values[0]), values[1]
        engine.copies.begin(lanes, site, *places, total, read, (_mark(taints, 0), _mark(taints, 1)))
        return None, None

    return handler


for cache, sizes in SIZES.items():
    for size in sizes:
        name = f"{NAME}.{cache}.shared.global.{size}"
        stateful(name, accesses=_copies(0, 1), copies=True)(_begin(size, None))
        stateful(f"{name}.s", accesses=_copies(0, 1), copies=True)(_begin(size, 2))


@stateful(f"{NAME}.commit.group")
def commit(engine: Engine, lanes: LaneSet, _site: Site, _values: Given, _taints: Marks) -> Result:
    """The copies that lanes began since the last time are a group."""
    engine.copies.commit(lanes)
    return None, None


@stateful(f"{NAME}.wait.group")
def wait_group(engine: Engine, lanes: LaneSet, _site: Site, values: Given, _taints: Marks) -> Result:
    """All groups of the lanes but the last so many have arrived."""
    engine.copies.wait(lanes, int(values[0][0]))
    return None, None


@stateful(f"{NAME}.wait.all")
def wait_all(engine: Engine, lanes: LaneSet, _site: Site, _values: Given, _taints: Marks) -> Result:
    """All copies of the lanes have arrived, those in no group too."""
    engine.copies.wait(lanes)
    return None, None


# A launch begins when the one before it has ended: there is nothing to wait for, nor to let begin.
# A grid begins when the one before it has ended; who did not wait all the same is told of whole programs.
fence("llvm.nvvm.griddepcontrol.wait", scope="device", ordering="acquire")
ignored("llvm.nvvm.griddepcontrol.launch.dependents")
