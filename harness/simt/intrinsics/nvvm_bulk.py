"""NVIDIA's bulk copies, `cp.async.bulk`: many bytes by one thread, counted at a barrier or waited for by groups.

See: https://docs.nvidia.com/cuda/parallel-thread-execution/#data-movement-and-conversion-instructions-bulk-copy
"""

from collections.abc import Iterator

import numpy as np

from harness.simt.arrays import distinct
from harness.simt.compile.declarations import MemoryAccess
from harness.simt.compile.registry import effect, stateful
from harness.simt.errors import Unsupported
from harness.simt.intrinsics.asynchronous import Commit, WaitGroups
from harness.simt.intrinsics.handlers import Call

__all__: list[str] = []

NAME = "llvm.nvvm.cp.async.bulk"
GRANULE = 16


def _by_size(call: Call, operand: int) -> Iterator[tuple[Call, int]]:
    """The call by lanes that copy equally many bytes, and how many; what is no multiple of 16 is reported."""
    sizes = call.wide(operand).astype(np.int64) & 0xFFFFFFFF
    odd = np.flatnonzero(sizes % GRANULE)
    if len(odd):
        call.report("async-copy.size", odd, values={"size": int(sizes[odd[0]]), "granule": GRANULE})
    for size in distinct(sizes[sizes > 0]).tolist():
        yield call.part(np.flatnonzero(sizes == size)), size


def _begin(call: Call, target: int, source: int, size: int, kind: str) -> None:
    places, marks = (call.values[target], call.values[source]), (call.taint(target), call.taint(source))
    call.engine.copies.begin(call.lanes, call.site, *places, size, np.array([size]), marks, kind)


@stateful(
    f"{NAME}.global.to.shared.cluster",
    f"{NAME}.global.to.shared.cta",
    f"{NAME}.shared.cta.to.cluster",
    accesses=(MemoryAccess(0, "store"), MemoryAccess(1, "atomic"), MemoryAccess(2, "load")),
    copies=True,
    proxy=True,
)
def to_shared(call: Call) -> None:
    """Into shared memory: a barrier counts the bytes that come."""
    if len(call.values) > 6 and call.values[-2].any():
        raise Unsupported("cp.async.bulk to several blocks")
    for some, size in _by_size(call, 3):
        places = call.engine.waits.phases.places(some.lanes, call.site, some.wide(1), "cluster")
        _begin(some, 0, 2, size, "barrier")
        call.engine.copies.bring(some.lanes, call.site, places, size)


@stateful(
    f"{NAME}.shared.cta.to.global",
    accesses=(MemoryAccess(0, "store"), MemoryAccess(1, "load")),
    copies=True,
    proxy=True,
)
def to_global(call: Call) -> None:
    """Out of shared memory: lanes wait by groups."""
    for some, size in _by_size(call, 2):
        _begin(some, 0, 1, size, "bulk")


effect(f"{NAME}.commit.group", of=Commit("bulk"))
effect(f"{NAME}.wait.group", of=WaitGroups("bulk"))
effect(f"{NAME}.wait.group.read", of=WaitGroups("bulk", read=True))
