"""Which of a device's allocations a launch can come to: what lies in the others costs it nothing."""

from collections.abc import Iterable, Mapping

import numpy as np

from harness.simt.arrays import Array, Integers, distinct
from harness.simt.ir.values import FIRST, MASK, SHIFT
from harness.simt.state.allocation import Allocation

__all__ = ["reached"]


def reached(
    device: Mapping[int, Allocation], given: Iterable[Array], own: Iterable[Allocation]
) -> dict[int, Allocation]:
    """Those whose addresses the launch is given, or that lie in memory which it can come to, and that are not freed.

    A number that only looks like an address does no harm; an address that a kernel makes of anything else leads
    nowhere, which is for Python to tell.

    Args:
        device: All of them, by number.
        given: The values that it begins with.
        own: The launch's own.
    """
    found: dict[int, Allocation] = {}
    left = [*given, *(one.data for one in own if one.rows == "grid")] if device else []
    while left:
        octets = np.ascontiguousarray(left.pop()).reshape(-1).view(np.uint8)
        words: Integers = octets[: len(octets) // 8 * 8].view(np.int64)
        likely = (words - (FIRST << SHIFT)).view(np.uint64) < np.uint64(MASK + 1 - FIRST << SHIFT)
        for number in distinct(words[likely] >> SHIFT).tolist():
            allocation = device.get(number)
            if allocation is not None and number not in found and not allocation.freed:
                found[number] = allocation
                left.append(allocation.data)
    return found
