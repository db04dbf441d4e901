"""A claim of buffers on an allocation (`Storage`), and byte ranges of it: view, copy, mark as written."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from harness.programs.host import pages
from harness.programs.host.pages import Bytes, HostMemory
from harness.simt.state.allocation import Allocation

__all__ = ["Range", "Storage"]


class Storage:
    """A claim on memory, which its buffers share; several claims on the same memory are possible.

    Attributes:
        allocation: The memory as the simulator knows it.
        address: Where the program takes it to be.
        host: The pages behind it where the host can address it, else None.
        unified: Whether it is the device's own memory although the host can address it.
        owned: Whether the memory ends with the claim.
        foreign: Whether it is memory of the host that the device did not make, and so cannot free.
        users: The buffers that refer to it.
    """

    def __init__(
        self,
        allocation: Allocation,
        address: int,
        host: HostMemory | None = None,
        *,
        unified: bool = False,
        owned: bool = True,
        foreign: bool = False,
    ) -> None:
        self.allocation, self.address, self.host = allocation, address, host
        self.unified, self.owned, self.foreign = unified, owned, foreign
        self.users = 0

    @property
    def size(self) -> int:
        """Bytes that it had when it was made."""
        return len(self.allocation.data)

    def notice_writes(self) -> None:
        """Mark as written what the host changed in its own memory, unless it is freed; see `pages.notice_writes`."""
        if self.host is not None and not self.allocation.freed:
            pages.notice_writes(self.allocation)


@dataclass(frozen=True, slots=True)
class Range:
    """Some bytes of a storage.

    Attributes:
        offset, size: In bytes.
    """

    storage: Storage
    offset: int
    size: int

    @property
    def name(self) -> str:
        """The memory's name in reports."""
        return self.storage.allocation.name

    @property
    def data(self) -> Bytes:
        """The bytes of the range, as a view."""
        return self.storage.allocation.data[self.offset : self.offset + self.size]

    @property
    def undefined(self) -> int:
        """How many of its bytes were never written."""
        shadow = self.storage.allocation.shadow
        return 0 if shadow is None else int(np.count_nonzero(shadow[self.offset : self.offset + self.size]))

    def written(self) -> None:
        """Mark all of it as written."""
        self._mark(None)

    def copy(self, source: Range) -> None:
        """Take a source's bytes, as many as both have, and with them which of them were never written.

        What the host wrote to the source since it was last noticed counts as written.
        """
        size = min(self.size, source.size)
        source.storage.notice_writes()
        self.data[:size] = source.data[:size]
        mine, theirs = self.storage.allocation, source.storage.allocation
        if theirs.shadow is None and mine.shadow is None:
            return
        origins = None if theirs.shadow is None else theirs.shadow[source.offset : source.offset + size]
        Range(self.storage, self.offset, size)._mark(origins)

    def _mark(self, origins: NDArray[np.int32] | None) -> None:
        """Set for each byte the origin of its undefined value, or 0; None marks all bytes as written."""
        allocation = self.storage.allocation
        if origins is not None:
            allocation.writable_shadow()[self.offset : self.offset + self.size] = origins
        elif self.size == len(allocation.data):
            allocation.shadow = None
        elif allocation.shadow is not None:
            allocation.writable_shadow()[self.offset : self.offset + self.size] = 0
