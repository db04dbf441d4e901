"""NVIDIA's asynchronous copies: `cp.async` from global to shared memory, in groups, and bulk ones.

`cp.async.bulk` copies many bytes by one thread, counted at a barrier or waited for by groups.
See: https://docs.nvidia.com/cuda/parallel-thread-execution/#data-movement-and-conversion-instructions-non-bulk-copy and
https://docs.nvidia.com/cuda/parallel-thread-execution/#data-movement-and-conversion-instructions-bulk-copy
"""

from collections.abc import Iterator

import numpy as np

from harness.simt.arrays import distinct
from harness.simt.compile.declarations import MemoryAccess
from harness.simt.compile.registry import declare_effect, declare_fence, declare_ignored, stateful
from harness.simt.errors import Unsupported
from harness.simt.intrinsics.asynchronous import Commit, Copy, WaitGroups
from harness.simt.intrinsics.handlers import Call

__all__: list[str] = []

COPY = "llvm.nvvm.cp.async"
BULK = f"{COPY}.bulk"
GRANULE = 16
SIZES = {"ca": (4, 8, 16), "cg": (16,)}
for cache, sizes in SIZES.items():
    for size in sizes:
        name = f"{COPY}.{cache}.shared.global.{size}"
        declare_effect(name, of=Copy(size), native=f"copy.{size}")
        declare_effect(f"{name}.s", of=Copy(size, given=2))
declare_effect(f"{COPY}.commit.group", of=Commit("cp.async"), native="commit")
declare_effect(f"{COPY}.wait.group", f"{COPY}.wait.all", of=WaitGroups("cp.async"), native="land")

# A grid begins when the one before it has ended; who did not wait all the same is told of whole programs.
declare_fence("llvm.nvvm.griddepcontrol.wait", scope="device", ordering="acquire")
declare_ignored("llvm.nvvm.griddepcontrol.launch.dependents")


def _by_size(call: Call, operand: int) -> Iterator[tuple[Call, int]]:
    """The call by lanes that copy equally many bytes, and how many; what is no multiple of 16 is reported."""
    sizes = call.wide(operand).astype(np.int64) & 0xFFFFFFFF
    odd = np.flatnonzero(sizes % GRANULE)
    if len(odd):
        call.report("async-copy.size", odd, values={"size": int(sizes[odd[0]]), "granule": GRANULE})
    for size in distinct(sizes[sizes > 0]).tolist():
        yield call.part(np.flatnonzero(sizes == size)), size


def _begin(call: Call, source: int, size: int, kind: str) -> None:
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
def to_shared(call: Call) -> None:
    """Into shared memory: a barrier counts the bytes that come."""
    if len(call.values) > 6 and call.values[-2].any():
        raise Unsupported("cp.async.bulk to several blocks")
    for some, size in _by_size(call, 3):
        places = call.engine.waits.mbarriers.keys_at(some.lanes, call.site, some.wide(1), "cluster")
        _begin(some, 2, size, "barrier")
        call.engine.copies.arrive(some.lanes, call.site, places, size)


@stateful(
    f"{BULK}.shared.cta.to.global",
    accesses=(MemoryAccess(0, "store"), MemoryAccess(1, "load")),
    copies=True,
    proxy=True,
)
def to_global(call: Call) -> None:
    """Out of shared memory: lanes wait by groups."""
    for some, size in _by_size(call, 2):
        _begin(some, 1, size, "bulk")


declare_effect(f"{BULK}.commit.group", of=Commit("bulk"))
declare_effect(f"{BULK}.wait.group", of=WaitGroups("bulk"))
declare_effect(f"{BULK}.wait.group.read", of=WaitGroups("bulk", read=True))
