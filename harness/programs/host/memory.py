"""Memory of the host that a device can reach, at addresses that the program uses directly.

The host's own accesses to it are not seen. Bytes that nobody wrote hold a pattern; what differs from it was written.
"""

from __future__ import annotations

import ctypes
import mmap

import numpy as np
import numpy.typing as npt

from harness.simt.ir.values import POISON_BYTES
from harness.simt.state.allocation import Allocation

__all__ = ["PAGE", "HostMemory", "notice_writes", "view"]

PAGE = mmap.PAGESIZE
# Compared at once: a value of one or two bytes may well look like the pattern, a whole word does not.
WORD = 4

Bytes = npt.NDArray[np.uint8]


class HostMemory:
    """Pages of their own, so that they can be protected.

    Attributes:
        address: Where they begin.
        data: Their bytes, as many as asked for.
    """

    def __init__(self, size: int) -> None:
        self._pages = mmap.mmap(-1, max(size, 1))
        self.address = ctypes.addressof(ctypes.c_char.from_buffer(self._pages))
        self.data = view(self.address, size)
        self.data[:] = np.resize(POISON_BYTES, size)


def view(address: int, size: int) -> Bytes:
    """Memory of this process as an array; the caller knows that it is there."""
    if not size:
        return np.zeros(0, np.uint8)
    return np.ctypeslib.as_array((ctypes.c_uint8 * size).from_address(address))


def notice_writes(allocation: Allocation) -> None:
    """Counts as written what differs from the pattern of fresh memory.

    A word of four bytes is written as soon as one of its bytes is: a wrong claim would be worse than a missed one.
    """
    if allocation.shadow is None:
        return
    whole = allocation.size // WORD * WORD
    pattern = POISON_BYTES[:WORD].view(np.uint32)[0]
    written = allocation.data[:whole].view(np.uint32) != pattern
    allocation.shadow[:whole].reshape(-1, WORD)[written] = 0
    allocation.shadow[whole:] = 0  # too short to tell
    if not allocation.shadow.any():
        allocation.shadow = None
