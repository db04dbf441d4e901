"""Shared memory as 32-bit addresses see it: the arrays of a block, one after another.

Pointers carry their allocation (see `ir.values`); instructions that take a shared address
as an integer, and descriptors with bits of one, get it from here. Above the place in
shared memory an address has the peer block that it belongs to, as a pointer has.
"""

from collections.abc import Iterable, Iterator, Mapping

import numpy as np

from harness.simt.arrays import Array, Integers
from harness.simt.ir.values import BIAS, PEER_SHIFT, SHIFT, base_of

__all__ = ["START", "Window", "places_of"]

START = 1 << 10  # no array lies at 0: that is null
ALIGN = 128
PLACE_BITS = 24
NUMBER = (1 << PEER_SHIFT - SHIFT) - 1


def places_of(sizes: Iterable[tuple[int, int, int]], start: int = START) -> Iterator[tuple[int, int, int]]:
    """Where arrays lie.

    Args:
        sizes: (number, bytes, alignment) of each.

    Yields:
        (number, place, the place behind it)
    """
    for number, size, align in sizes:
        step = max(ALIGN, align)
        place = -(-start // step) * step
        start = place + size
        yield number, place, start


class Window:
    """Translates pointers into shared memory to integers and back.

    Args:
        places: The place of each allocation, by its number.
    """

    def __init__(self, places: Mapping[int, int]) -> None:
        self._by_number: Integers = np.full(NUMBER + 1, -1, np.int64)
        self._by_number[list(places)] = list(places.values())
        order = sorted(places, key=places.__getitem__)
        self._starts: Integers = np.array([places[number] for number in order], np.int64)
        self._bases: Integers = np.array([base_of(number) for number in order], np.int64)

    def address(self, pointers: Integers) -> Integers:
        """The addresses that pointers stand for; what is no pointer into shared memory stays as it is."""
        start = self._by_number[pointers >> SHIFT & NUMBER]
        place = start + (pointers & (1 << SHIFT) - 1) - BIAS
        peer = pointers >> PEER_SHIFT & 0x7F
        return np.where(start < 0, pointers, place | peer << PLACE_BITS)

    def pointer(self, addresses: Array) -> Integers:
        """The pointers that addresses stand for; what is a pointer already stays as it is."""
        given = addresses.astype(np.int64)
        wide = given & 0xFFFFFFFF
        place, peer = wide & (1 << PLACE_BITS) - 1, wide >> PLACE_BITS
        at = np.searchsorted(self._starts, place, "right") - 1
        if not len(self._starts):
            return given
        pointers = self._bases[at] + place - self._starts[at] | peer << PEER_SHIFT
        return np.where((at < 0) | (given >> SHIFT > 0), given, pointers)
