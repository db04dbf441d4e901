"""Detect shared memory that threads write and asynchronous operations read, without a proxy fence in between.

Bulk copies and products of four warps access memory through the async proxy, loads and stores through the generic one.
`fence.proxy.async` must stand between a store and such a read: in the thread that wrote, in one that begins the read,
or in any thread between two barriers.

See: https://docs.nvidia.com/cuda/parallel-thread-execution/#async-proxy
"""

from dataclasses import dataclass

import numpy as np

from harness.simt.arrays import Integers
from harness.simt.compile.program import Program
from harness.simt.compile.segments import intrinsic_calls
from harness.simt.events import AccessEvent, BarrierEvent, FenceEvent
from harness.simt.observe import Observer, RunningLaunch
from harness.simt.state.lanes import Geometry

__all__ = ["Proxies"]

FENCE = "llvm.nvvm.fence.proxy.async"


@dataclass(slots=True, eq=False)
class _LastWrites:
    """For each byte of an allocation, when a thread last wrote it (0 for never), and that lane of the chunk."""

    times: Integers
    lanes: Integers


class Proxies(Observer):
    """Report asynchronous reads of memory that was written without a proxy fence."""

    def concerns(self, program: Program) -> bool:
        """Return whether the kernel reads shared memory through the async proxy."""
        return program.copies and any(intrinsic.proxy for intrinsic in program.called)

    def launch_begin(self, engine: RunningLaunch) -> None:
        """Find the kernel's asynchronous operations and its proxy fences."""
        calls = list(intrinsic_calls(engine.program.segments))
        self._asynchronous = {site for site, intrinsic in calls if intrinsic.proxy}
        self._fences = {site for site, intrinsic in calls if intrinsic.name.startswith(FENCE)}

    def chunk_begin(self, geometry: Geometry) -> None:
        """Forget the writes and fences of the previous chunk."""
        blocks = len(geometry.blocks)
        self._clock = 0
        self._written: dict[int, _LastWrites] = {}
        self._lane_fenced: Integers = np.zeros(geometry.lanes, np.int64)  # when each lane last fenced
        # By block: the last fence, the last barrier, and the time before which all writes are ordered.
        self._block_fenced, self._block_barrier, self._ordered = (np.zeros(blocks, np.int64) for _ in range(3))

    def fence(self, event: FenceEvent) -> None:
        """Note a fence of the async proxy that orders shared memory, for its lanes and blocks; ignore other fences."""
        if event.site in self._fences and "shared" in event.spaces:
            self._clock += 1
            self._lane_fenced[event.lanes.idx] = self._clock
            self._block_fenced[event.lanes.get("row")] = self._clock

    def barrier(self, event: BarrierEvent) -> None:
        """Note that blocks pass a barrier.

        If a thread of a block did a proxy fence since the previous barrier, the writes before that previous barrier are
        ordered from now on.
        """
        self._clock += 1
        between = event.rows[self._block_fenced[event.rows] > self._block_barrier[event.rows]]
        self._ordered[between] = self._block_barrier[between]
        self._block_barrier[event.rows] = self._clock

    def access(self, event: AccessEvent) -> None:
        """Note stores and atomics to shared memory; report asynchronous reads that no proxy fence orders after them.

        Asynchronous writes need no fence: they only overwrite what was noted. Other loads and spaces are ignored.
        """
        if event.allocation.space != "shared":
            return
        asynchronous = event.site in self._asynchronous
        octets = event.starts[:, None] + np.arange(event.size)
        written = self._written.get(event.allocation.number)
        if event.kind != "load":
            if written is None:
                size = len(event.allocation.data)
                written = _LastWrites(np.zeros(size, np.int64), np.zeros(size, np.int64))
                self._written[event.allocation.number] = written
            self._clock += 1
            written.times[octets] = 0 if asynchronous else self._clock
            written.lanes[octets] = event.lanes.idx[:, None]
        elif asynchronous and written is not None:
            self._check(event, written.times[octets], written.lanes[octets])

    def _check(self, event: AccessEvent, times: Integers, writers: Integers) -> None:
        """Report lanes, as an error, that read a byte whose last write no proxy fence orders.

        Fences that do: after the write by the writer or by a lane of the event in the reader's warp; or by any thread
        of the block, between two barriers.

        Args:
            times: When each byte was last written, (lanes, bytes); 0 for never.
            writers: The lanes of the chunk that wrote them, (lanes, bytes).
        """
        warps, warp = np.unique(event.lanes.get("warp"), return_inverse=True)
        warp_fenced: Integers = np.zeros(len(warps), np.int64)
        np.maximum.at(warp_fenced, warp, self._lane_fenced[event.lanes.idx])
        blocks = np.broadcast_to(event.lanes.get("row"), (event.lanes.n,))
        fenced = (
            (self._lane_fenced[writers] > times) | (warp_fenced[warp] > times.T).T | (self._ordered[blocks] > times.T).T
        )
        positions = np.flatnonzero(((times > 0) & ~fenced).any(1))
        if len(positions):
            name = event.allocation.name
            self.report(event, "async-proxy", positions, argument=name, size=event.size)
