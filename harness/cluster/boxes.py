"""The boxes of a worker: kept from one order to the next, as those of one machine are."""

from __future__ import annotations

import atexit
import functools

from harness.process.box import WarmBoxes, box

__all__ = ["warm"]


@functools.cache
def warm(kind: str) -> WarmBoxes:
    """Boxes of a kind, from any thread; they end with this process.

    Raises:
        UsageError: There is no such kind.
        EnvironmentFault: `bwrap` is asked for and does not work here.
    """
    boxes = WarmBoxes(box(kind))
    atexit.register(boxes.close)
    return boxes
