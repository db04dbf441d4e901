"""NVIDIA's bulk copies, `cp.async.bulk`: many bytes by one thread, counted at a barrier or waited for by groups.

See: https://docs.nvidia.com/cuda/parallel-thread-execution/#data-movement-and-conversion-instructions-bulk-copy
"""

from collections.abc import Iterator

import numpy as np

from harness.simt.arrays import Array, Integers, Taint, distinct
from harness.simt.compile.declarations import MemoryAccess
from harness.simt.compile.registry import stateful
from harness.simt.errors import Unsupported
from harness.simt.intrinsics.handlers import Given, Marks, Result
from harness.simt.ir.site import Site
from harness.simt.run.engine import Engine
from harness.simt.state.lanes import LaneSet

__all__: list[str] = []

NAME = "llvm.nvvm.cp.async.bulk"
GRANULE = 16


def _by_size(engine: Engine, lanes: LaneSet, site: Site, sizes: Array) -> Iterator[tuple[LaneSet, Integers, int]]:
    """Lanes that copy equally many bytes, and where they stand; what is no multiple of 16 is reported."""
    sizes = np.broadcast_to(sizes, (lanes.n,)).astype(np.int64) & 0xFFFFFFFF
    odd = np.flatnonzero(sizes % GRANULE)
    if len(odd):
        engine.observation.report(
            "async-copy.size", "error", (site,), lanes, odd, values={"size": int(sizes[odd[0]]), "granule": GRANULE}
        )
    for size in distinct(sizes[sizes > 0]).tolist():
        here = np.flatnonzero(sizes == size)
        yield (lanes if len(here) == lanes.n else lanes.sub(here)), here, size


def _marks(taints: Marks, target: int, source: int, here: Integers) -> tuple[Taint, Taint]:
    if taints is None:
        return None, None
    first, second = (
        mark if mark is None or len(mark) == 1 else mark[here] for mark in (taints[target], taints[source])
    )
    return first, second


@stateful(
    f"{NAME}.global.to.shared.cluster",
    f"{NAME}.global.to.shared.cta",
    f"{NAME}.shared.cta.to.cluster",
    accesses=(MemoryAccess(0, "store"), MemoryAccess(1, "atomic"), MemoryAccess(2, "load")),
    copies=True,
    proxy=True,
)
def to_shared(engine: Engine, lanes: LaneSet, site: Site, values: Given, taints: Marks) -> Result:
    """Into shared memory: a barrier counts the bytes that come."""
    target, barrier, source = (np.broadcast_to(value, (lanes.n,)) for value in values[:3])
    if len(values) > 6 and values[-2].any():
        raise Unsupported("cp.async.bulk to several blocks")
    for some, here, size in _by_size(engine, lanes, site, values[3]):
        places = engine.waits.phases.places(some, site, barrier[here], "cluster")
        marks = _marks(taints, 0, 2, here)
        engine.copies.begin(some, site, target[here], source[here], size, np.array([size]), marks, "barrier")
        engine.copies.bring(some, site, places, size)
    return None, None


@stateful(
    f"{NAME}.shared.cta.to.global",
    accesses=(MemoryAccess(0, "store"), MemoryAccess(1, "load")),
    copies=True,
    proxy=True,
)
def to_global(engine: Engine, lanes: LaneSet, site: Site, values: Given, taints: Marks) -> Result:
    """Out of shared memory: lanes wait by groups."""
    target, source = (np.broadcast_to(value, (lanes.n,)) for value in values[:2])
    for some, here, size in _by_size(engine, lanes, site, values[2]):
        marks = _marks(taints, 0, 1, here)
        engine.copies.begin(some, site, target[here], source[here], size, np.array([size]), marks, "bulk")
    return None, None


@stateful(f"{NAME}.commit.group")
def commit(engine: Engine, lanes: LaneSet, _site: Site, _values: Given, _taints: Marks) -> Result:
    """The bulk copies that lanes began since the last time are a group."""
    engine.copies.commit(lanes, "bulk")
    return None, None


@stateful(f"{NAME}.wait.group")
def wait_group(engine: Engine, lanes: LaneSet, _site: Site, values: Given, _taints: Marks) -> Result:
    """All bulk groups of the lanes but the last so many have arrived."""
    engine.copies.wait(lanes, int(values[0][0]), kind="bulk")
    return None, None


@stateful(f"{NAME}.wait.group.read")
def wait_read(engine: Engine, lanes: LaneSet, _site: Site, values: Given, _taints: Marks) -> Result:
    """What those groups read may be written again."""
    engine.copies.wait_read(lanes, int(values[0][0]))
    return None, None
