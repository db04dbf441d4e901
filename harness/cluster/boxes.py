"""The boxes of a worker: kept from one order to the next, as those of one machine are."""

from __future__ import annotations

import atexit

from harness.process.box import WarmBoxes, box

__all__ = ["close", "warm"]

_kept: dict[str, WarmBoxes] = {}


def warm(kind: str) -> WarmBoxes:
    """Boxes of a kind, from any thread; they wait for orders until `close`, or until this process ends.

    Raises:
        UsageError: There is no such kind.
        EnvironmentFault: `bwrap` is asked for and does not work here.
    """
    boxes = _kept.get(kind)
    return boxes or _kept.setdefault(kind, WarmBoxes(box(kind)))


@atexit.register
def close() -> None:
    """Ends the boxes that wait."""
    while _kept:
        _kept.popitem()[1].close()
