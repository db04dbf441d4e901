"""NVIDIA's `cp.async` in groups and `cp.async.bulk` (tensors: `nvvm_tensor`); also `griddepcontrol`.

`cp.async.bulk` copies many bytes by one thread; an mbarrier counts them, or lanes wait for them by groups.
See: https://docs.nvidia.com/cuda/parallel-thread-execution/#data-movement-and-conversion-instructions-non-bulk-copy and
https://docs.nvidia.com/cuda/parallel-thread-execution/#data-movement-and-conversion-instructions-bulk-copy
"""

from collections.abc import Iterator

import numpy as np

from harness.simt.arrays import distinct
from harness.simt.compile.declarations import MemoryAccess
from harness.simt.compile.registry import declare_effect, declare_fence, declare_ignored, stateful
from harness.simt.errors import Unsupported
from harness.simt.intrinsics.asynchronous import AsyncCopy, CommitGroup, WaitGroups
from harness.simt.intrinsics.handlers import Call

__all__: list[str] = []

COPY = "llvm.nvvm.cp.async"
BULK = f"{COPY}.bulk"
GRANULE = 16
SIZES = {"ca": (4, 8, 16), "cg": (16,)}
for cache, sizes in SIZES.items():
    for size in sizes:
        name = f"{COPY}.{cache}.shared.global.{size}"
        declare_effect(name, of=AsyncCopy(size), compiled=f"copy.{size}")
        declare_effect(f"{name}.s", of=AsyncCopy(size, bytes_operand=2))
declare_effect(f"{COPY}.commit.group", of=CommitGroup("cp.async"), compiled="commit")
declare_effect(f"{COPY}.wait.group", f"{COPY}.wait.all", of=WaitGroups("cp.async"), compiled="land")

# A grid starts when the previous one has ended, so the wait is a fence here; a missing wait is a check of programs.
declare_fence("llvm.nvvm.griddepcontrol.wait", scope="device", ordering="acquire")
declare_ignored("llvm.nvvm.griddepcontrol.launch.dependents")


def _group_by_size(call: Call, operand: int) -> Iterator[tuple[Call, int]]:
    """Yield (the call by lanes that copy equally many bytes, that size); report sizes that are no multiple of 16.

    These are copied all the same; lanes that copy nothing are left out.

    Args:
        operand: The position of the argument with the size in bytes, read as unsigned.
    """
    sizes = call.wide(operand).astype(np.int64) & 0xFFFFFFFF
    odd = np.flatnonzero(sizes % GRANULE)
    if len(odd):
        call.report("async-copy.size", odd, values={"size": int(sizes[odd[0]]), "granule": GRANULE})
    for size in distinct(sizes[sizes > 0]).tolist():
        yield call.part(np.flatnonzero(sizes == size)), size


def _begin_copy(call: Call, source: int, size: int, kind: str) -> None:
    places, marks = (call.values[0], call.values[source]), (call.taint(0), call.taint(source))
    call.engine.copies.begin(call.lanes, call.site, *places, size, np.array([size]), marks, kind)


@stateful(
    f"{BULK}.global.to.shared.cluster",
    f"{BULK}.global.to.shared.cta",
    f"{BULK}.shared.cta.to.cluster",
    accesses=(MemoryAccess(0, "store"), MemoryAccess(1, "atomic"), MemoryAccess(2, "load")),
    copies=True,
    proxy=True,
)
def copy_to_shared(call: Call) -> None:
    """Start a bulk copy into shared memory. The source is read now; it is stored, and its bytes are counted, when lanes
    test the mbarrier.

    Sizes that are no multiple of 16 bytes are reported, and copied all the same. A missing mbarrier is reported; the
    bytes are then stored when all lanes have ended, at the latest.

    Raises:
        Unsupported: The copy goes to several blocks of a cluster.
    """
    if len(call.values) > 6 and call.values[-2].any():
        raise Unsupported("cp.async.bulk to several blocks")
    for some, size in _group_by_size(call, 3):
        places = call.engine.waits.mbarriers.keys_at(some.lanes, call.site, some.wide(1), "cluster")
        _begin_copy(some, 2, size, "barrier")
        call.engine.copies.arrive(some.lanes, call.site, places, size)


@stateful(
    f"{BULK}.shared.cta.to.global",
    accesses=(MemoryAccess(0, "store"), MemoryAccess(1, "load")),
    copies=True,
    proxy=True,
)
def copy_to_global(call: Call) -> None:
    """Start a bulk copy out of shared memory; lanes wait for it by groups. Report sizes that are no multiple of 16."""
    for some, size in _group_by_size(call, 2):
        _begin_copy(some, 1, size, "bulk")


declare_effect(f"{BULK}.commit.group", of=CommitGroup("bulk"))
declare_effect(f"{BULK}.wait.group", of=WaitGroups("bulk"))
declare_effect(f"{BULK}.wait.group.read", of=WaitGroups("bulk", read=True))
