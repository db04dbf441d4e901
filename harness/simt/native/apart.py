"""Whether blocks that Python runs have nothing to do with those that native code ran."""

from collections.abc import Mapping

import numpy as np

from harness.simt.arrays import Integers
from harness.simt.events import AccessEvent
from harness.simt.native.declined import Declined

__all__ = ["apart"]


def apart(event: AccessEvent, cells: Mapping[int, Integers], grain: int) -> None:
    """An access touches nothing that others wrote, and writes nothing that others read.

    Args:
        cells: By allocation (n, 4); see `CELL`.
        grain: The bytes of a cell.

    Raises:
        Declined: It does.
    """
    facts = cells.get(event.allocation.number)
    if facts is None:  # native code took it for what is only read
        if event.kind != "load" and event.allocation.rows == "grid":
            raise Declined("blocks that store where others only read")
        return
    first, last = event.starts // grain, (event.starts + event.size - 1) // grain
    most = -(-event.size // grain) + (grain > 1)  # one more where it begins within a cell
    places = np.minimum(first[:, None] + np.arange(most), last[:, None])
    if facts[places, 1].any() or (event.kind != "load" and facts[places, 3].any()):
        raise Declined("blocks that exchange data")
