"""Divide allocations into locations as wide as the narrowest access; split state per location when they shrink.

A location is as wide as the narrowest access to its allocation, and narrower if accesses straddle. When locations
become narrower, the state of a wider one is copied to each of its parts.
"""

from collections.abc import Callable
from typing import Generic, TypeVar

import numpy as np

from harness.simt.arrays import Array, Integers
from harness.simt.state.allocation import Allocation

__all__ = ["NOBODY", "LocationTables", "Locations", "PerLocation"]

NOBODY = -1  # nobody accessed the location


class PerLocation:
    """State of each location: every array has an entry for each one, along its last axis."""

    def split(self, times: int, count: int) -> None:
        """Split each location in place into `times` smaller ones with its state; keep the first `count` of these.

        This replaces all attributes that are arrays, and changes lists of arrays or None, and the `PerLocation` that
        are values of dicts.
        """

        def repeat(value: Array) -> Array:
            return np.repeat(value, times, -1)[..., :count]

        for name, value in vars(self).items():
            if isinstance(value, np.ndarray):
                setattr(self, name, repeat(value))
            elif isinstance(value, list):
                value[:] = [None if item is None else repeat(item) for item in value]
            elif isinstance(value, dict):
                for item in value.values():
                    item.split(times, count)


class Locations(PerLocation):
    """The locations of an allocation.

    Args:
        size: Bytes of the allocation, all rows together.
        unit: Bytes of the first access.

    Attributes:
        unit: Bytes of a location, a power of two.
    """

    def __init__(self, size: int, unit: int) -> None:
        self.size, self.unit = size, unit & -unit

    @property
    def count(self) -> int:
        """How many locations there are; the last one may be cut off."""
        return -(-self.size // self.unit)

    def at(self, starts: Integers, size: int, element: int = 0) -> Integers:
        """Return the numbers of the locations that each access covers, (n, locations of each).

        First, all locations of the allocation are split until elements of the accesses begin and end at boundaries of
        locations. They never become wider.

        Args:
            starts: The first byte of each access, (n,).
            size: Bytes of each access.
            element: Bytes of an element of the access; 0 if the access is one element.
        """
        if self.unit > 1:
            bits = self.unit | (element or size) | int(np.bitwise_or.reduce(starts))
            if (unit := bits & -bits) != self.unit:
                times, self.unit = self.unit // unit, unit
                self.split(times, self.count)
        first = starts // self.unit if self.unit > 1 else starts
        count = size // self.unit
        return first[:, None] + np.arange(count) if count > 1 else first[:, None]


Table = TypeVar("Table", bound=Locations)


class LocationTables(Generic[Table]):
    """The locations of all allocations that are accessed.

    Args:
        make: Makes them from an allocation and the bytes of its first access.

    Attributes:
        all: By number of an allocation outside shared memory.
        shared: By number of an allocation in shared memory, for the current chunk.
    """

    def __init__(self, make: Callable[[Allocation, int], Table]) -> None:
        self._make = make
        self.all: dict[int, Table] = {}
        self.chunk_begin()

    def chunk_begin(self) -> None:
        """Forget the locations of shared memory, which is fresh."""
        self.shared: dict[int, Table] = {}

    def of(self, allocation: Allocation, unit: int) -> Table:
        """Return the locations of an allocation; the first call makes them, in shared memory the first of each chunk.

        `unit` is the bytes of that first access; in later calls it is ignored.
        """
        table = self.shared if allocation.rows == "block" else self.all
        locations = table.get(allocation.number)
        if locations is None:
            locations = table[allocation.number] = self._make(allocation, unit)
        return locations
