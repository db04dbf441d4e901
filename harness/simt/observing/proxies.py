"""Shared memory that threads write and bulk copies or products of four warps read, without a fence in between.

Those go another way to memory, the async proxy, than loads and stores do: `fence.proxy.async` must stand on the way
from a store to such a read, in the thread that wrote, in one that begins the read, or in any between two barriers.

See: https://docs.nvidia.com/cuda/parallel-thread-execution/#async-proxy
"""

from dataclasses import dataclass

import numpy as np

from harness.simt.arrays import Integers
from harness.simt.compile.program import Program
from harness.simt.compile.segments import intrinsics
from harness.simt.events import AccessEvent, BarrierEvent, FenceEvent
from harness.simt.observe import Observer, RunningLaunch
from harness.simt.state.lanes import Geometry

__all__ = ["Proxies"]

FENCE = "llvm.nvvm.fence.proxy.async"


@dataclass(slots=True, eq=False)
class _Written:
    """When each byte of an allocation was written by a thread, 0 for never, and by which lane of the chunk."""

    times: Integers
    lanes: Integers


class Proxies(Observer):
    """Reports asynchronous reads of what was written without a fence of proxies."""

    def concerns(self, program: Program) -> bool:
        """Only kernels that read shared memory asynchronously."""
        return program.copies and any(intrinsic.proxy for intrinsic in program.called)

    def launch_begin(self, engine: RunningLaunch) -> None:
        """See `Observer`."""
        calls = list(intrinsics(engine.program.segments))
        self._asynchronous = {site for site, intrinsic in calls if intrinsic.proxy}
        self._fences = {site for site, intrinsic in calls if intrinsic.name.startswith(FENCE)}

    def chunk_begin(self, geometry: Geometry) -> None:
        """See `Observer`."""
        blocks = len(geometry.blocks)
        self._clock = 0
        self._written: dict[int, _Written] = {}
        self._fenced: Integers = np.zeros(geometry.lanes, np.int64)  # when each lane did last
        # By block: the last fence, the last barrier, and before when all that was written is in order.
        self._row_fenced, self._row_barrier, self._ordered = (np.zeros(blocks, np.int64) for _ in range(3))

    def fence(self, event: FenceEvent) -> None:
        """See `Observer`."""
        if event.site in self._fences and "shared" in event.spaces:
            self._clock += 1
            self._fenced[event.lanes.idx] = self._clock
            self._row_fenced[event.lanes.get("row")] = self._clock

    def barrier(self, event: BarrierEvent) -> None:
        """See `Observer`."""
        self._clock += 1
        between = event.rows[self._row_fenced[event.rows] > self._row_barrier[event.rows]]
        self._ordered[between] = self._row_barrier[between]
        self._row_barrier[event.rows] = self._clock

    def access(self, event: AccessEvent) -> None:
        """See `Observer`."""
        if event.allocation.space != "shared":
            return
        asynchronous = event.site in self._asynchronous
        octets = event.starts[:, None] + np.arange(event.size)
        written = self._written.get(event.allocation.number)
        if event.kind != "load":
            if written is None:
                size = len(event.allocation.data)
                written = _Written(np.zeros(size, np.int64), np.zeros(size, np.int64))
                self._written[event.allocation.number] = written
            self._clock += 1
            written.times[octets] = 0 if asynchronous else self._clock
            written.lanes[octets] = event.lanes.idx[:, None]
        elif asynchronous and written is not None:
            self._check(event, written.times[octets], written.lanes[octets])

    def _check(self, event: AccessEvent, times: Integers, writers: Integers) -> None:
        warps, warp = np.unique(event.lanes.get("warp"), return_inverse=True)
        own: Integers = np.zeros(len(warps), np.int64)
        np.maximum.at(own, warp, self._fenced[event.lanes.idx])
        rows = np.broadcast_to(event.lanes.get("row"), (event.lanes.n,))
        fenced = (self._fenced[writers] > times) | (own[warp] > times.T).T | (self._ordered[rows] > times.T).T
        here = np.flatnonzero(((times > 0) & ~fenced).any(1))
        if len(here):
            name = event.allocation.name
            self.report(event, "async-proxy", here, argument=name, size=event.size)
