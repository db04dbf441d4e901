"""The shared window: lay out a block's arrays, translate pointers to 32-bit addresses and back, peers' included.

Pointers carry their allocation (see `ir.values`); instructions that take a shared address
as an integer, and descriptors with bits of one, use these addresses. The bits above the offset in
shared memory name the peer block that an address belongs to, as in a pointer.
"""

from collections.abc import Iterable, Iterator, Mapping

import numpy as np

from harness.simt.arrays import Array, Integers
from harness.simt.ir.values import BIAS, PEER_SHIFT, SHIFT, base_of

__all__ = ["START", "SharedWindow", "assign_offsets"]

START = 1 << 10  # no array is at 0, which is null
MIN_ALIGN = 128
OFFSET_BITS = 24
NUMBER = (1 << PEER_SHIFT - SHIFT) - 1


def assign_offsets(sizes: Iterable[tuple[int, int, int]], start: int = START) -> Iterator[tuple[int, int, int]]:
    """Assign offsets in shared memory to arrays, in their order, each at a multiple of its alignment, at least 128.

    Args:
        sizes: (number, bytes, alignment) of each.
        start: The first free offset.

    Yields:
        (number, offset, end offset)
    """
    for number, size, align in sizes:
        step = max(MIN_ALIGN, align)
        offset = -(-start // step) * step
        start = offset + size
        yield number, offset, start


class SharedWindow:
    """Translate pointers into shared memory to 32-bit addresses and back.

    Args:
        offsets: The offset of each allocation, by its number.
    """

    def __init__(self, offsets: Mapping[int, int]) -> None:
        self._by_number: Integers = np.full(NUMBER + 1, -1, np.int64)
        self._by_number[list(offsets)] = list(offsets.values())
        order = sorted(offsets, key=offsets.__getitem__)
        self._starts: Integers = np.array([offsets[number] for number in order], np.int64)
        self._bases: Integers = np.array([base_of(number) for number in order], np.int64)

    def address(self, pointers: Integers) -> Integers:
        """Return the 32-bit addresses of pointers into shared memory; bits from 24 on name a peer: its rank plus 1.

        Numbers that are no pointer into shared memory stay as they are.
        """
        start = self._by_number[pointers >> SHIFT & NUMBER]
        offset = start + (pointers & (1 << SHIFT) - 1) - BIAS
        peer = pointers >> PEER_SHIFT & 0x7F
        return np.where(start < 0, pointers, offset | peer << OFFSET_BITS)

    def pointer(self, addresses: Array) -> Integers:
        """Return the pointers of 32-bit addresses, each into the array that begins last at or before it.

        Numbers that are pointers already, or below all arrays, stay as they are. Ends of arrays are not checked.
        """
        numbers = addresses.astype(np.int64)
        wide = numbers & 0xFFFFFFFF
        offset, peer = wide & (1 << OFFSET_BITS) - 1, wide >> OFFSET_BITS
        index = np.searchsorted(self._starts, offset, "right") - 1
        if not len(self._starts):
            return numbers
        pointers = self._bases[index] + offset - self._starts[index] | peer << PEER_SHIFT
        return np.where((index < 0) | (numbers >> SHIFT > 0), numbers, pointers)
