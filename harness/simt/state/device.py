"""A device's memory: allocations that outlive a launch.

A program allocates, launches, copies and frees; every pointer that it passes around is an address of the simulator's
own (see `harness.simt.ir.values`), so it means the same in every launch, in structs and in memory. Which bytes were
written is carried along, and a freed allocation keeps its name.
"""

from __future__ import annotations

import numpy as np

from harness.simt.errors import LaunchError
from harness.simt.ir.values import FIRST, MASK, SHIFT, poison
from harness.simt.state.allocation import Allocation, Octets
from harness.simt.state.reports import Origins

__all__ = ["Device"]


class Device:
    """All memory of a device.

    Attributes:
        allocations: By number, the freed ones too as long as their numbers are not needed.
        origins: Where undefined bytes come from; the same numbers in all launches.
        made: How many allocations there were.
    """

    def __init__(self) -> None:
        self.allocations: dict[int, Allocation] = {}
        self.origins = Origins()
        self.made = 0
        self._freed: list[int] = []
        self._heap: dict[int, int] = {}  # bytes of each block of the heap, by number

    def allocate(
        self, size: int, name: str, *, data: Octets | None = None, initialised: bool = False, number: int | None = None
    ) -> Allocation:
        """Makes an allocation.

        Args:
            size: In bytes; may be 0.
            name: What reports call it.
            data: Bytes to use in place, `size` of them; fresh ones that nothing wrote if None.
            initialised: Whether all bytes count as written.
            number: That of an allocation of another device, whose pointers are to mean this one; what has it here ends.

        Raises:
            LaunchError: More allocations live than numbers exist, or there is no such number.
        """
        if data is None:
            data = np.empty(size, np.uint8)
            poison(data)
        if number is not None and not FIRST <= number <= MASK:
            raise LaunchError(f"no number of an allocation: {number}")
        own = self._number() if number is None else number
        self.made = max(self.made, own - FIRST + 1)
        allocation = Allocation(own, name, "global", size, data=data)
        if not initialised:
            allocation.never_written(self.origins.number("argument", name))
        self.allocations[allocation.number] = allocation
        return allocation

    def free(self, allocation: Allocation) -> None:
        """Ends an allocation; an access to it will be reported by its name."""
        allocation.free()
        self._freed.append(allocation.number)

    def heap_block(self, size: int, name: str, limit: int) -> Allocation | None:
        """A block of the heap that threads allocate from; None where it has no room.

        Raises:
            LaunchError: More allocations live than numbers exist.
        """
        if sum(self._heap.values()) + size > limit:
            return None
        block = self.allocate(size, name)
        block.heap = True
        self._heap[block.number] = max(1, size)
        return block

    def block_at(self, pointer: int) -> Allocation | None:
        """The block of the heap that begins at an address, freed or not, or None."""
        block = self.allocations.get(pointer >> SHIFT & MASK)
        return block if block is not None and block.heap and block.base == pointer else None

    def free_block(self, block: Allocation) -> None:
        """Ends a block of the heap."""
        del self._heap[block.number]
        self.free(block)

    def _number(self) -> int:
        number = FIRST + self.made
        self.made += 1
        if number <= MASK:
            return number
        if not self._freed:
            raise LaunchError(f"more than {MASK - FIRST} buffers at once")
        number = self._freed.pop(0)  # that was freed the longest ago: what still points there is told least likely
        del self.allocations[number]
        return number
