"""An index of buffers' claims (`Storage`) on memory by address, for each launch; counts device bytes in use."""

from __future__ import annotations

from bisect import bisect_right, insort
from collections.abc import Iterator

from harness.programs.host.storage import Storage

__all__ = ["Claims"]


class Claims:
    """Claims, in the order in which they were made.

    Args:
        most: How many are kept, the last ones; any number if None.

    Attributes:
        used_bytes: Memory of the device that they are on.
        empty: Those on no bytes.
    """

    def __init__(self, most: int | None = None) -> None:
        self.used_bytes = 0
        self.empty: dict[Storage, None] = {}
        self._most, self._made, self._longest = most, 0, 1
        self._orders: dict[Storage, int] = {}
        self._at: dict[int, list[Storage]] = {}  # by the first byte's address
        self._starts: list[int] = []  # these, in order

    def __iter__(self) -> Iterator[Storage]:
        return iter(self._orders)

    def add(self, storage: Storage) -> None:
        """Add a claim as the most recent one; if there are `most` already, the oldest is removed.

        Device memory is added to `used_bytes`, and a claim on no bytes to `empty`.
        """
        if len(self._orders) == self._most:
            self.remove(next(iter(self._orders)))
        self._made += 1
        self._orders[storage] = self._made
        if storage.address not in self._at:
            insort(self._starts, storage.address)
        self._at.setdefault(storage.address, []).append(storage)
        self._longest = max(self._longest, storage.size)
        self._count(storage, 1)
        if not storage.size:
            self.empty[storage] = None

    def remove(self, storage: Storage) -> None:
        """Remove a claim, also from `used_bytes` and `empty`; KeyError if it is not there."""
        del self._orders[storage]
        at_address = self._at[storage.address]
        at_address.remove(storage)
        if not at_address:
            del self._at[storage.address]
            del self._starts[bisect_right(self._starts, storage.address) - 1]
        self._count(storage, -1)
        self.empty.pop(storage, None)

    def at(self, address: int) -> Storage | None:
        """Return the most recent claim on the memory at an address, or None; an empty claim has one byte for this."""
        candidates: list[Storage] = []
        place = bisect_right(self._starts, address) - 1
        while place >= 0 and address < self._starts[place] + self._longest:
            first = self._starts[place]
            candidates += [storage for storage in self._at[first] if address < first + max(storage.size, 1)]
            place -= 1
        return max(candidates, key=self._orders.__getitem__, default=None)

    def _count(self, storage: Storage, sign: int) -> None:
        if storage.host is None:
            self.used_bytes += sign * storage.size
