"""Allocate and free what outlives a launch: a device's global memory, and the heap blocks of its threads.

A program allocates, launches, copies and frees; every pointer that it passes around is an address of the simulator's
own (see `harness.simt.ir.values`), so it means the same in every launch, in structs and in memory. Which bytes were
written is carried along, and a freed allocation keeps its name.
"""

from __future__ import annotations

import numpy as np

from harness.simt.errors import LaunchError
from harness.simt.ir.values import FIRST, MASK, SHIFT, fill_with_poison
from harness.simt.state.allocation import Allocation, Octets
from harness.simt.state.reports import Origins

__all__ = ["Device"]


class Device:
    """All memory of a device.

    Attributes:
        allocations: By number; freed ones stay until their numbers are needed.
        origins: The origins of undefined bytes; they have the same numbers in all launches.
        allocated_count: How many allocations there were.
    """

    def __init__(self) -> None:
        self.allocations: dict[int, Allocation] = {}
        self.origins = Origins()
        self.allocated_count = 0
        self._freed: list[int] = []
        self._skipped: list[int] = []  # numbers below a given one that may be unused
        self._heap: dict[int, int] = {}  # bytes of each block of the heap, by number

    def allocate(
        self, size: int, name: str, *, data: Octets | None = None, initialised: bool = False, number: int | None = None
    ) -> Allocation:
        """Make an allocation in global memory and add it to `allocations`.

        Args:
            size: In bytes; may be 0.
            name: What reports call it.
            data: Bytes to use in place, `size` of them; None for fresh ones, filled with poison.
            initialised: Whether all bytes count as written; if not, also `data` counts as uninitialised.
            number: The number of an allocation of another device, whose pointers then mean this one. An allocation
                that has this number here is replaced.

        Raises:
            LaunchError: More allocations are live than numbers exist, or there is no such number.
        """
        if data is None:
            data = np.empty(size, np.uint8)
            fill_with_poison(data)
        if number is not None and not FIRST <= number <= MASK:
            raise LaunchError(f"no number of an allocation: {number}")
        if number is not None:
            self._skipped += range(FIRST + self.allocated_count, number)
        new_number = self._number() if number is None else number
        if number in self._freed:  # it is live again
            self._freed.remove(number)
        self.allocated_count = max(self.allocated_count, new_number - FIRST + 1)
        allocation = Allocation(new_number, name, "global", size, data=data)
        if not initialised:
            allocation.mark_uninitialised(self.origins.number("argument", name))
        self.allocations[allocation.number] = allocation
        return allocation

    def free(self, allocation: Allocation) -> None:
        """Free an allocation; a later access to it is reported by its name, until its number is needed again.

        Nothing happens to one that is freed already.
        """
        if not allocation.freed:
            allocation.free()
            if self.allocations.get(allocation.number) is allocation:  # else its number was given to another one
                self._freed.append(allocation.number)

    def heap_block(self, size: int, name: str, limit: int) -> Allocation | None:
        """Allocate a block of the heap for a thread; return None if live blocks would exceed `limit` bytes together.

        A block of 0 bytes counts as 1 byte once it is allocated.

        Raises:
            LaunchError: More allocations are live than numbers exist.
        """
        if sum(self._heap.values()) + size > limit:
            return None
        block = self.allocate(size, name)
        block.heap = True
        self._heap[block.number] = max(1, size)
        return block

    def block_at(self, pointer: int) -> Allocation | None:
        """Return the block of the heap that begins at an address, freed or not; None if there is none."""
        block = self.allocations.get(pointer >> SHIFT & MASK)
        return block if block is not None and block.heap and block.base == pointer else None

    def free_block(self, block: Allocation) -> None:
        """Free a block of the heap: it no longer counts towards the limit, but `block_at` still returns it.

        KeyError if it is freed already.
        """
        del self._heap[block.number]
        self.free(block)

    def _number(self) -> int:
        """Return a number for a new allocation, and add 1 to `allocated_count`.

        It is the number after the highest so far, or else an unused one below. If all are used, it is the number of the
        allocation freed longest ago, which is removed from `allocations`.

        Raises:
            LaunchError: All numbers are in use.
        """
        number = FIRST + self.allocated_count
        self.allocated_count += 1
        if number <= MASK:
            return number
        while self._skipped:
            if (number := self._skipped.pop()) not in self.allocations:
                return number
        if not self._freed:
            raise LaunchError(f"more than {MASK - FIRST} buffers at once")
        number = self._freed.pop(0)  # freed longest ago: pointers to it are the least likely to be used
        del self.allocations[number]
        return number
