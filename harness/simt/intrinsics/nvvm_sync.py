"""NVIDIA's block barriers (wait, arrive, reduce), warp barrier, memory fences, `exit` and `nanosleep`.

See: https://docs.nvidia.com/cuda/parallel-thread-execution/#parallel-synchronization-and-communication-instructions
"""

from collections.abc import Callable
from functools import partial

import numpy as np

from harness.simt.arrays import Array, Integers, distinct
from harness.simt.compile.declarations import BOTH, Barrier, WarpSync
from harness.simt.compile.registry import declare_exit, declare_fence, declare_wait, stateful
from harness.simt.events import WarpEvent
from harness.simt.intrinsics.exchanges import check_masks
from harness.simt.intrinsics.handlers import Call, Result
from harness.simt.ops.integer import unsigned

__all__: list[str] = []

CTA = "llvm.nvvm.barrier.cta"


def _read_reduction(choose: Callable[[Integers, Integers], Array], call: Call) -> Result:
    lanes, reduced = call.lanes, call.engine.waits.barriers.reduced
    numbers, totals = call.wide(0), np.zeros((2, lanes.n), np.int64)
    for number in distinct(numbers).tolist():
        positions = np.flatnonzero(numbers == number)
        totals[:, positions] = np.stack(reduced[number])[:, lanes.get("row")[positions]]
    mark = call.taints[-1]
    if mark is not None:
        mark = np.array([mark.max()], np.int32)
    return choose(*totals), mark


REDUCTIONS = {
    "popc": lambda count, _total: count.astype(np.int32),
    "and": lambda count, total: count == total,
    "or": lambda count, _total: count > 0,
}
for word in ("aligned.", ""):
    aligned = bool(word)
    declare_wait(f"{CTA}.sync.{word}all", at=Barrier(BOTH, aligned, number=0))
    declare_wait(f"{CTA}.sync.{word}count", at=Barrier(BOTH, aligned, number=0, count=1))
    for name, choose in REDUCTIONS.items():
        reduction, reduced = f"{CTA}.red.{name}.{word}", partial(_read_reduction, choose)
        stateful(f"{reduction}all", waits=Barrier(BOTH, aligned, number=0, predicate=1))(reduced)
        stateful(f"{reduction}count", waits=Barrier(BOTH, aligned, number=0, count=1, predicate=2))(reduced)

    @stateful(f"{CTA}.arrive.{word}count", arrives=Barrier(BOTH, aligned, number=0, count=1))
    def arrive(call: Call) -> None:
        """Make lanes arrive at a barrier without waiting; lanes that wait may then go on."""
        numbers, counts = (np.broadcast_to(value, (call.lanes.n,)) for value in call.values)
        for number in distinct(numbers).tolist():
            positions = np.flatnonzero(numbers == number)
            some = call.lanes if len(positions) == call.lanes.n else call.lanes.sub(positions)
            call.engine.waits.barriers.arrive(some, call.site, number, counts[positions])
        call.engine.waits.retry(Barrier)


@stateful("llvm.nvvm.bar.warp.sync", waits=WarpSync(mask=0, spaces=BOTH), compiled="meet")
def synchronise_warp(call: Call) -> None:
    """Emit an event for observers, if any listens: the lanes of a mask have synchronised, and their memory is ordered.

    The interpreter calls this after the lanes have waited. Wrong masks are reported by `check_masks`; the lanes go on.
    """
    masks = check_masks(call, 0)
    if call.engine.observation.on_warp_sync and masks is not None:
        event = WarpEvent(call.site, call.lanes, masks, BOTH)
        call.engine.observation.on_warp_sync(event)


for name, scope in {"cta": "block", "gl": "device", "sys": "system"}.items():
    declare_fence(f"llvm.nvvm.membar.{name}", scope=scope)
declare_fence("llvm.nvvm.fence.sc.cluster", scope="cluster")
declare_exit("llvm.nvvm.exit")


@stateful("llvm.nvvm.nanosleep")
def sleep(call: Call) -> None:
    """Advance the clock by the longest sleep that a lane requests, a nanosecond as one; no lane waits."""
    call.engine.budget.slept += int(unsigned(call.values[0], 32).max())
