"""What a program holds of its device: contexts, buffers, functions, timers, each behind an opaque pointer."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

import numpy as np

from harness.programs.host import memory
from harness.programs.host.abi import Handle, HostError
from harness.programs.host.memory import Bytes, HostMemory
from harness.programs.host.queue import Stream
from harness.simt.ir.parse import Module
from harness.simt.state.allocation import Allocation

__all__ = ["Buffer", "Context", "Function", "Handles", "Storage", "Timer"]

Held = TypeVar("Held", bound=Handle)
_FIRST = 0x1000
_STEP = 16


class Handles:
    """Everything that a program holds, by its opaque pointer; a pointer is never given twice."""

    def __init__(self) -> None:
        self._held: dict[int, Handle] = {}
        self._next = _FIRST

    def add(self, handle: Held) -> Held:
        """Gives an object its pointer."""
        handle.handle = self._next
        self._held[self._next] = handle
        self._next += _STEP
        return handle

    def get(self, pointer: int, kind: type[Held]) -> Held:
        """The object of a pointer.

        Raises:
            HostError: It is no such object, or was released before.
        """
        held = self._held.get(pointer)
        if isinstance(held, kind):
            return held
        what = kind.__name__.lower()
        if _FIRST <= pointer < self._next and not pointer % _STEP:
            raise HostError(f"the {what} was released before")
        raise HostError(f"no {what} at {pointer:#x}")

    def release(self, handle: Handle) -> bool:
        """Lets go once; True when nobody holds it any more."""
        handle.references -= 1
        if handle.references:
            return False
        del self._held[handle.handle]
        return True

    def of(self, kind: type[Held]) -> list[Held]:
        """All that is held of a kind."""
        return [held for held in self._held.values() if isinstance(held, kind)]


class Context(Handle):
    """A device as a program opened it.

    Attributes:
        api: `cuda`, `hip`, `metal` or `cpu`.
        streams: The default one first; views of a context share the list.
        stream: Where its work goes.
    """

    def __init__(self, api: str, streams: list[Stream], number: int = 0) -> None:
        super().__init__()
        self.api, self.streams, self.stream = api, streams, streams[number]

    def view(self, number: int) -> Context:
        """The same with another stream."""
        return Context(self.api, self.streams, number)


class Storage:
    """Memory that buffers share.

    Attributes:
        allocation: As the simulator knows it.
        host: The pages behind it where the host can address it, else None.
        address: Where the program takes it to be.
        owned: Whether it ends with its last buffer.
        users: The buffers that refer to it.
    """

    def __init__(self, allocation: Allocation, address: int, host: HostMemory | None = None) -> None:
        self.allocation, self.address, self.host = allocation, address, host
        self.owned, self.users = True, 0

    def notice_writes(self) -> None:
        """Counts as written what the host wrote since it was last asked."""
        if self.host is not None:
            memory.notice_writes(self.allocation)


class Buffer(Handle):
    """A range of a storage.

    Attributes:
        context: In whose stream it is freed.
        offset, size: In bytes.
    """

    def __init__(
        self, context: Context, storage: Storage, offset: int, size: int, end: Callable[[Buffer], None]
    ) -> None:
        super().__init__()
        self.context, self.storage, self.offset, self.size = context, storage, offset, size
        self._end = end
        storage.users += 1

    @property
    def name(self) -> str:
        """What reports call it."""
        return self.storage.allocation.name

    @property
    def address(self) -> int:
        """What the program takes for its pointer."""
        return self.storage.address + self.offset

    @property
    def data(self) -> Bytes:
        """Its bytes."""
        return self.storage.allocation.data[self.offset : self.offset + self.size]

    @property
    def undefined(self) -> int:
        """How many of its bytes were never written."""
        shadow = self.storage.allocation.shadow
        return 0 if shadow is None else int(np.count_nonzero(shadow[self.offset : self.offset + self.size]))

    def written(self) -> None:
        """Counts all of it as written."""
        shadow = self.storage.allocation.shadow
        if shadow is not None:
            shadow[self.offset : self.offset + self.size] = 0

    def copy(self, source: Buffer) -> None:
        """Takes a source's bytes, as many as both have, and with them what was never written."""
        size = min(self.size, source.size)
        source.storage.notice_writes()
        self.data[:size] = source.data[:size]
        mine, theirs = self.storage.allocation, source.storage.allocation
        if theirs.shadow is None and mine.shadow is None:
            return
        if mine.shadow is None:
            mine.shadow = np.zeros(mine.size, np.int32)
        origins = 0 if theirs.shadow is None else theirs.shadow[source.offset : source.offset + size]
        mine.shadow[self.offset : self.offset + size] = origins

    def ended(self) -> None:
        """Nobody holds it any more."""
        self._end(self)


class Function(Handle):
    """A loaded kernel.

    Attributes:
        symbol: Its name in the IR.
        constants: Bytes of constant memory that the program set, by name.
    """

    def __init__(self, symbol: str, module: Module) -> None:
        super().__init__()
        self.symbol, self.module = symbol, module
        self.constants: dict[str, bytes] = {}


class Timer(Handle):
    """A measurement that began."""

    def __init__(self, started_ns: int) -> None:
        super().__init__()
        self.started_ns = started_ns
