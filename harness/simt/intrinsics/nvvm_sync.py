"""NVIDIA barriers of a block and of a warp, and memory fences.

See: https://docs.nvidia.com/cuda/parallel-thread-execution/#parallel-synchronization-and-communication-instructions
"""

from collections.abc import Callable

import numpy as np

from harness.simt.arrays import Array, Integers, distinct
from harness.simt.compile.declarations import BOTH, Barrier, WarpSync
from harness.simt.compile.registry import ending, fence, stateful, wait
from harness.simt.events import WarpEvent
from harness.simt.intrinsics.handlers import Given, Marks, Result, Stateful
from harness.simt.ir.site import Site
from harness.simt.ops.integer import unsigned
from harness.simt.run.engine import Engine
from harness.simt.state.lanes import LaneSet

__all__: list[str] = []

CTA = "llvm.nvvm.barrier.cta"


def _reduced(choose: Callable[[Integers, Integers], Array]) -> Stateful:
    def handler(engine: Engine, lanes: LaneSet, _site: Site, values: Given, taints: Marks) -> Result:
        rows = lanes.get("row")
        counts, totals = engine.waits.barriers.reduced[int(values[0][0])]
        mark = taints[-1] if taints else None
        if mark is not None:
            mark = np.array([mark.max()], np.int32)
        return choose(counts[rows], totals[rows]), mark

    return handler


REDUCTIONS = {
    "popc": lambda count, _total: count.astype(np.int32),
    "and": lambda count, total: count == total,
    "or": lambda count, _total: count > 0,
}
for word in ("aligned.", ""):
    aligned = bool(word)
    wait(f"{CTA}.sync.{word}all", at=Barrier(BOTH, aligned, number=0))
    wait(f"{CTA}.sync.{word}count", at=Barrier(BOTH, aligned, number=0, count=1))
    for name, choose in REDUCTIONS.items():
        given = f"{CTA}.red.{name}.{word}"
        stateful(f"{given}all", waits=Barrier(BOTH, aligned, number=0, predicate=1))(_reduced(choose))
        stateful(f"{given}count", waits=Barrier(BOTH, aligned, number=0, count=1, predicate=2))(_reduced(choose))

    @stateful(f"{CTA}.arrive.{word}count", arrives=Barrier(BOTH, aligned, number=0, count=1))
    def arrive(engine: Engine, lanes: LaneSet, site: Site, values: Given, _taints: Marks) -> Result:
        """Lanes arrive at a barrier and go on."""
        numbers, counts = (np.broadcast_to(value, (lanes.n,)) for value in values)
        for number in distinct(numbers).tolist():
            here = np.flatnonzero(numbers == number)
            some = lanes if len(here) == lanes.n else lanes.sub(here)
            engine.waits.barriers.arrive(some, site, number, int(counts[here[0]]))
        engine.waits.retry(Barrier)
        return None, None


@stateful("llvm.nvvm.bar.warp.sync", waits=WarpSync(mask=0, spaces=BOTH))
def warp_sync(engine: Engine, lanes: LaneSet, site: Site, values: Given, _taints: Marks) -> Result:
    """All lanes of the mask have come; their memory is ordered."""
    if engine.observation.on_warp_sync:
        event = WarpEvent(site, lanes, values[0], np.empty(0, np.int64), BOTH)
        for hook in engine.observation.on_warp_sync:
            hook(event)
    return None, None


for name, scope in {"cta": "block", "gl": "device", "sys": "system"}.items():
    fence(f"llvm.nvvm.membar.{name}", scope=scope)
fence("llvm.nvvm.fence.sc.cluster", scope="cluster")
ending("llvm.nvvm.exit")


@stateful("llvm.nvvm.nanosleep")
def sleep(engine: Engine, _lanes: LaneSet, _site: Site, values: Given, _taints: Marks) -> Result:
    """Clocks go on by what the lanes that sleep longest ask for; nobody waits."""
    engine.budget.slept += int(unsigned(values[0], 32).max())
    return None, None
