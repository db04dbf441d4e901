"""Who touched what: the places of allocations, of which observers keep what they need.

A place is as wide as the narrowest access to its allocation, and less where accesses straddle: what was kept of a wider
one is kept of each of its parts from then on.
"""

from collections.abc import Callable
from typing import Generic, TypeVar

import numpy as np

from harness.simt.arrays import Array, Integers
from harness.simt.state.allocation import Allocation

__all__ = ["NOBODY", "Kept", "Places", "Touched"]

NOBODY = -1  # where nobody touched a place


class Kept:
    """What is kept of each place: every array has an entry for each, along its last axis."""

    def split(self, times: int, count: int) -> None:
        """Makes each place so many smaller ones, of which there are `count`."""

        def parts(value: Array) -> Array:
            return np.repeat(value, times, -1)[..., :count]

        for name, value in vars(self).items():
            if isinstance(value, np.ndarray):
                setattr(self, name, parts(value))
            elif isinstance(value, list):
                value[:] = [None if part is None else parts(part) for part in value]
            elif isinstance(value, dict):
                for part in value.values():
                    part.split(times, count)


class Places(Kept):
    """The places of an allocation.

    Args:
        size: Bytes of the allocation, all rows together.
        unit: Bytes of the first access.

    Attributes:
        unit: Bytes of a place, a power of two.
    """

    def __init__(self, size: int, unit: int) -> None:
        self.size, self.unit = size, unit & -unit

    @property
    def count(self) -> int:
        """How many they are; the last may be cut."""
        return -(-self.size // self.unit)

    def at(self, starts: Integers, size: int, element: int = 0) -> Integers:
        """The places of accesses, (n, places of each).

        Args:
            element: Bytes of an element of the access, no wider than which a place is; 0 for all of it.
        """
        if self.unit > 1:
            bits = self.unit | (element or size) | int(np.bitwise_or.reduce(starts))
            if (unit := bits & -bits) != self.unit:
                times, self.unit = self.unit // unit, unit
                self.split(times, self.count)
        first = starts // self.unit if self.unit > 1 else starts
        count = size // self.unit
        return first[:, None] + np.arange(count) if count > 1 else first[:, None]


Own = TypeVar("Own", bound=Places)


class Touched(Generic[Own]):
    """The places of all allocations that are touched.

    Args:
        make: From an allocation and the bytes of the first access.
    """

    def __init__(self, make: Callable[[Allocation, int], Own]) -> None:
        self._make = make
        self.all: dict[int, Own] = {}
        self.chunk_begin()

    def chunk_begin(self) -> None:
        """Shared memory is fresh."""
        self.shared: dict[int, Own] = {}

    def of(self, allocation: Allocation, unit: int) -> Own:
        """Those of one of them."""
        table = self.shared if allocation.rows == "block" else self.all
        places = table.get(allocation.number)
        if places is None:
            places = table[allocation.number] = self._make(allocation, unit)
        return places
