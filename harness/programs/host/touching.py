"""Which bytes of a device's memory a launch touches."""

from __future__ import annotations

import zlib

import numpy as np

from harness.simt.events import AccessEvent
from harness.simt.observe import Observer, Proof, RunningLaunch
from harness.simt.state.allocation import Allocation

__all__ = ["Touching"]


class Touching(Observer):
    """Keeps the first and the last byte that is read, and that is written, of each allocation.

    Attributes:
        ranges: By the allocation's number and whether it was written.
    """

    def __init__(self) -> None:
        self.ranges: dict[tuple[int, bool], tuple[Allocation, int, int]] = {}

    def notes(self) -> frozenset[str]:
        """See `Observer`."""
        return frozenset({"reads"})

    def adopt(self, engine: RunningLaunch, proof: Proof) -> bool:
        """See `Observer`; an exchange writes here also where it does not hit, of which nothing is known then."""
        self.ranges.clear()
        device = engine.memory.device
        for number, cells in proof.cells.items():
            for column, wrote in ((3, False), (1, True)):
                if number in device and len(parts := np.flatnonzero(cells[:, column])):
                    first, last = int(parts[0]) * proof.grain, (int(parts[-1]) + 1) * proof.grain - 1
                    self.ranges[number, wrote] = device[number], first, last
        return not any(op.opcode == "cmpxchg" for segment in engine.program.segments for op in segment.ops)

    def launch_begin(self, engine: RunningLaunch) -> None:
        """See `Observer`."""
        self._device = engine.memory.device
        if engine.proof is None:
            self.ranges.clear()

    def results(self) -> int:
        """A checksum of what was written, as it is now."""
        total = 0
        for (number, wrote), (allocation, first, last) in sorted(self.ranges.items(), key=lambda item: item[0]):
            if wrote:
                total = zlib.crc32(
                    allocation.data[first : last + 1].data, zlib.crc32(b"%d %d" % (number, first), total)
                )
        return total

    def access(self, event: AccessEvent) -> None:
        """See `Observer`."""
        number = event.allocation.number
        if number not in self._device:
            return
        key = number, event.kind != "load"
        first, last = int(event.offsets.min()), int(event.offsets.max()) + event.size - 1
        known = self.ranges.get(key)
        if known is not None:
            first, last = min(first, known[1]), max(last, known[2])
        self.ranges[key] = event.allocation, first, last
