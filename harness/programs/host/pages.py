"""Host memory that the device can reach, its pages closed by `mprotect`; views of addresses; which are mapped.

The host's own accesses to it are not seen. A protected page shows the first one, as a fault. Writes can also be noticed
later, by bytes that differ from the pattern of fresh memory.
"""

from __future__ import annotations

import ctypes
import mmap
from collections.abc import Iterable

import numpy as np
import numpy.typing as npt

from harness.simt.ir.values import POISON_BYTES, fill_with_poison
from harness.simt.state.allocation import Allocation

__all__ = ["Bytes", "HostMemory", "from_bytes", "mapped", "notice_writes", "view"]

# Compared at once: a value of one or two bytes may well look like the pattern, a whole word does not.
WORD = 4
# Of `mprotect`; the names of the `mmap` module are not there on all systems.
NONE, READ, WRITE = 0, 1, 2

Bytes = npt.NDArray[np.uint8]
_libc = ctypes.CDLL(None)
_libc.mprotect.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int]
_libc.mincore.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_void_p]


class HostMemory:
    """Pages of their own.

    Attributes:
        address: Where they begin.
        data: Their bytes, as many as asked for.
    """

    def __init__(self, size: int) -> None:
        # Private: a box refuses shared memory that has no name.
        self._pages = mmap.mmap(-1, max(size, 1), flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
        self._length = -(-max(size, 1) // mmap.PAGESIZE) * mmap.PAGESIZE
        self._protection = READ | WRITE
        self.address = ctypes.addressof(ctypes.c_char.from_buffer(self._pages))
        self.data = view(self.address, size)
        fill_with_poison(self.data)

    def protect(self, protection: int) -> None:
        """Let the host do this with all pages and no more: `NONE`, `READ`, or `READ | WRITE`.

        The system is asked only if that is a change; its refusal is ignored.
        """
        if protection != self._protection:
            self._protection = protection
            _libc.mprotect(self.address, self._length, protection)

    def protect_pages(self, pages: Iterable[int], protection: int) -> None:
        """Set what the host may do with some pages, as `protect` does with all; the others stay as they are.

        The system is always asked, also by the next `protect`, and its refusal is ignored.

        Args:
            pages: Their numbers, from 0 where this memory begins.
            protection: `NONE`, `READ`, or `READ | WRITE`.
        """
        self._protection = -1  # of all: mixed
        first = stop = -1
        for page in sorted(pages):  # mostly one, for each access that is let through: no array is worth it
            if page != stop:
                self._protect_run(first, stop, protection)
                first = page
            stop = page + 1
        self._protect_run(first, stop, protection)

    def _protect_run(self, first: int, stop: int, protection: int) -> None:
        if first < stop:
            _libc.mprotect(self.address + first * mmap.PAGESIZE, (stop - first) * mmap.PAGESIZE, protection)

    def __contains__(self, address: int) -> bool:
        return self.address <= address < self.address + self._length


def view(address: int, size: int) -> Bytes:
    """Return memory of this process as an array, without a copy; the caller knows that it is there."""
    if not size:
        return np.zeros(0, np.uint8)
    return np.ctypeslib.as_array((ctypes.c_uint8 * size).from_address(address))


def mapped(address: int) -> bool:
    """Return whether this process has memory mapped at an address; protected pages count."""
    page = address // mmap.PAGESIZE * mmap.PAGESIZE
    return 0 < page < 1 << 63 and _libc.mincore(page, mmap.PAGESIZE, ctypes.byref(ctypes.c_ubyte())) == 0


def from_bytes(raw: bytes) -> Bytes:
    """Return bytes as a read-only array."""
    return np.frombuffer(raw, np.uint8)


def notice_writes(allocation: Allocation) -> None:
    """Mark as defined the bytes of an allocation that differ from the pattern of fresh memory.

    A word of four bytes is written as soon as one of its bytes is: a false report would be worse than a missed one. The
    last bytes, if they are no whole word, count as written. If none is undefined any more, the shadow becomes None.
    """
    if allocation.shadow is None:
        return
    aligned_size = len(allocation.data) // WORD * WORD
    pattern = POISON_BYTES[:WORD].view(np.uint32)[0]
    written = allocation.data[:aligned_size].view(np.uint32) != pattern
    if written.all():
        allocation.shadow = None
    elif written.any() or aligned_size < len(allocation.data):
        shadow = allocation.writable_shadow()
        shadow[:aligned_size].reshape(-1, WORD)[written] = 0
        shadow[aligned_size:] = 0  # too short to tell
        if not shadow.any():
            allocation.shadow = None
