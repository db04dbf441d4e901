"""NVIDIA barriers of a block and of a warp, and memory fences.

Waiting is the gates' work; what is left to do here is to tell observers.
See: https://docs.nvidia.com/cuda/parallel-thread-execution/#parallel-synchronization-and-communication-instructions
"""

import numpy as np

from harness.simt.compile.registry import ignored, stateful
from harness.simt.observe import WarpEvent
from harness.simt.run import barriers, waits

__all__ = []

BOTH = frozenset({"global", "shared"})


CTA = "llvm.nvvm.barrier.cta"


@stateful(
    f"{CTA}.sync.aligned.all", f"{CTA}.sync.all", f"{CTA}.sync.aligned.count", f"{CTA}.sync.count", gate="block", mask=0
)
def barrier(_engine, _lanes, _site, _values, _taints):
    """All lanes of the block have come, or as many as the count says."""
    return None, None


@stateful(f"{CTA}.arrive.aligned.count", f"{CTA}.arrive.count")
def arrive(engine, lanes, site, values, _taints):
    """Lanes arrive at a barrier and go on."""
    numbers, counts = (np.broadcast_to(one, (lanes.n,)) for one in values)
    for number in np.unique(numbers).tolist():
        here = np.flatnonzero(numbers == number)
        some = lanes if len(here) == lanes.n else lanes.sub(here)
        barriers.arrive(engine, some, site, number, int(counts[here[0]]))
    waits.retry(engine, ("block",))
    return None, None


def _reduced(choose):
    def handler(engine, lanes, _site, values, taints):
        rows = lanes.get("row")
        counts, totals = engine.barriers.reduced[int(values[0][0])]
        mark = taints[-1] if taints else None
        if mark is not None:
            mark = np.array([mark.max()], np.int32)
        return choose(counts[rows], totals[rows]), mark

    return handler


for name, choose in {
    "popc": lambda count, _total: count.astype(np.int32),
    "and": lambda count, total: count == total,
    "or": lambda count, _total: count > 0,
}.items():
    for aligned in ("aligned.", ""):
        for who in ("all", "count"):
            stateful(f"{CTA}.red.{name}.{aligned}{who}", gate="block", mask=0)(_reduced(choose))


@stateful("llvm.nvvm.bar.warp.sync", gate="warp", mask=0)
def warp_sync(engine, lanes, site, values, _taints):
    """All lanes of the mask have come; their memory is ordered."""
    if engine.on_warp_sync:
        event = WarpEvent(site, lanes, values[0], np.empty(0, np.int64), BOTH)
        for hook in engine.on_warp_sync:
            hook(event)
    return None, None


def _fence(scope, ordering="seq_cst"):
    def handler(engine, lanes, site, _values, _taints):
        if engine.on_fence:
            engine.emit_fence(site, lanes, ordering, scope)
        return None, None

    return handler


for name, scope in {"cta": "block", "gl": "device", "sys": "system"}.items():
    stateful(f"llvm.nvvm.membar.{name}")(_fence(scope))
stateful("llvm.nvvm.fence.sc.cluster")(_fence("cluster"))
stateful("llvm.nvvm.fence.acq_rel.cluster")(_fence("cluster", "acq_rel"))
ignored("llvm.nvvm.nanosleep")
