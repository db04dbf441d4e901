"""Which bytes of a device's memory a launch touches."""

from __future__ import annotations

import zlib
from typing import Any

from harness.simt.events import AccessEvent
from harness.simt.observe import Observer
from harness.simt.state.allocation import Allocation

__all__ = ["Touching"]


class Touching(Observer):
    """Keeps the first and the last byte that is read, and that is written, of each allocation.

    Attributes:
        ranges: By the allocation's number and whether it was written.
    """

    def __init__(self) -> None:
        self.ranges: dict[tuple[int, bool], tuple[Allocation, int, int]] = {}

    def launch_begin(self, engine: Any) -> None:
        """See `Observer`."""
        self._device = engine.memory.device

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
