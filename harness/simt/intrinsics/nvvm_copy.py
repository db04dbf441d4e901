"""NVIDIA's asynchronous copies from global to shared memory, `cp.async`, and their groups.

See: https://docs.nvidia.com/cuda/parallel-thread-execution/#data-movement-and-conversion-instructions-non-bulk-copy
"""

import numpy as np

from harness.simt.arrays import Integers
from harness.simt.compile.declarations import MemoryAccess
from harness.simt.compile.registry import fence, ignored, stateful
from harness.simt.intrinsics.handlers import Call, Stateful

__all__ = ["shared_pointers"]

NAME = "llvm.nvvm.cp.async"
SIZES = {"ca": (4, 8, 16), "cg": (16,)}


def shared_pointers(call: Call, operand: int) -> Integers:
    """An argument as pointers into shared memory, which assembly takes as 32-bit addresses too."""
    return call.engine.window.pointer(call.values[operand])


def _copies(target: int, source: int) -> tuple[MemoryAccess, ...]:
    return MemoryAccess(target, "store"), MemoryAccess(source, "load")


def _begin(size: int | None, given: int | None) -> Stateful:
    """Copies by lanes.

    Args:
        size: Bytes, or None where the third operand says how many.
        given: The operand with the bytes that are read, or None for all.
    """

    def handler(call: Call) -> None:
        total = int(call.values[2][0]) if size is None else size
        read = np.array([total])
        if given is not None:
            read = np.minimum(call.values[given].astype(np.int64) & 0xFFFFFFFF, total)
        places, marks = (shared_pointers(call, 0), call.values[1]), (call.taint(0), call.taint(1))
        call.engine.copies.begin(call.lanes, call.site, *places, total, read, marks)

    return handler


for cache, sizes in SIZES.items():
    for size in sizes:
        name = f"{NAME}.{cache}.shared.global.{size}"
        stateful(name, accesses=_copies(0, 1), copies=True)(_begin(size, None))
        stateful(f"{name}.s", accesses=_copies(0, 1), copies=True)(_begin(size, 2))


@stateful(f"{NAME}.commit.group")
def commit(call: Call) -> None:
    """The copies that lanes began since the last time are a group."""
    call.engine.copies.commit(call.lanes)


@stateful(f"{NAME}.wait.group")
def wait_group(call: Call) -> None:
    """All groups of the lanes but the last so many have arrived."""
    call.engine.copies.wait(call.lanes, int(call.values[0][0]))


@stateful(f"{NAME}.wait.all")
def wait_all(call: Call) -> None:
    """All copies of the lanes have arrived, those in no group too."""
    call.engine.copies.wait(call.lanes)


# A launch begins when the one before it has ended: there is nothing to wait for, nor to let begin.
# A grid begins when the one before it has ended; who did not wait all the same is told of whole programs.
fence("llvm.nvvm.griddepcontrol.wait", scope="device", ordering="acquire")
ignored("llvm.nvvm.griddepcontrol.launch.dependents")
