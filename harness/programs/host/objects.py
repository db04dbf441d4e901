"""The table of a program's opaque pointers, and contexts, buffers, kernels, timers; streams are in `queue`.

`DeviceBuffer` and `DeviceFunction` have the library's whole names: the simulator has a `Buffer` and a `Function` too.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from harness.programs.host.abi import Handle, HostError
from harness.programs.host.queue import Stream
from harness.programs.host.storage import Range
from harness.simt.gpus import Gpu
from harness.simt.ir.module import Function
from harness.simt.ir.names import source_name
from harness.simt.ir.parse import Module

__all__ = ["Context", "DeviceBuffer", "DeviceFunction", "Handles", "Timer"]

Held = TypeVar("Held", bound=Handle)
_FIRST = 0x1000
_STEP = 16


class Handles:
    """All objects that a program holds, by opaque pointer; a pointer is never used twice."""

    def __init__(self) -> None:
        self._held: dict[int, Handle] = {}
        self._next = _FIRST

    def add(self, handle: Held) -> Held:
        """Give an object a new pointer (its attribute `handle`), hold it until `release`, and return it."""
        handle.handle = self._next
        self._held[self._next] = handle
        self._next += _STEP
        return handle

    def get(self, pointer: int, kind: type[Held]) -> Held:
        """Return the object of a pointer.

        Raises:
            HostError: There is no object of this kind at the pointer, or it was released before.
        """
        candidate = self._held.get(pointer)
        if isinstance(candidate, kind):
            return candidate
        what = kind.__name__.removeprefix("Device").lower()
        if _FIRST <= pointer < self._next and not pointer % _STEP:
            raise HostError(f"the {what} was released before")
        raise HostError(f"no {what} at {pointer:#x}")

    def release(self, handle: Handle) -> bool:
        """Drop one reference to an object; return True if that was the last, and its pointer means nothing now.

        The object's resources are not freed here.
        """
        handle.references -= 1
        if handle.references:
            return False
        del self._held[handle.handle]
        return True

    def of(self, kind: type[Held]) -> list[Held]:
        """Return all objects of a kind that the program holds, in the order in which they were made."""
        return [candidate for candidate in self._held.values() if isinstance(candidate, kind)]


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
        """Return a context of the same device and streams whose work goes to stream `number`."""
        return Context(self.api, self.streams, number)


class DeviceBuffer(Handle):
    """A range of memory that a program holds, a `HostBuffer` too: one handle stands behind both of them.

    Attributes:
        context: In whose stream it is freed.
    """

    def __init__(self, context: Context, range_: Range, end: Callable[[DeviceBuffer], None]) -> None:
        super().__init__()
        self.context, self.range = context, range_
        self._end = end
        range_.storage.users += 1

    @property
    def address(self) -> int:
        """The address that the program uses for the buffer."""
        return self.range.storage.address + self.range.offset

    def free(self) -> None:
        """Free the memory; called when the last reference is gone."""
        self._end(self)


class DeviceFunction(Handle):
    """A loaded kernel.

    Attributes:
        symbol: Its name in the IR.
        name: As its source has it.
        opted_shared_bytes: The most dynamic shared memory, as the program asked for it; below 1 where it did not.
        constants: Bytes of constant memory that the program set, by name.
    """

    def __init__(self, symbol: str, module: Module, opted_shared_bytes: int = 0) -> None:
        super().__init__()
        self.symbol, self.module, self.opted_shared_bytes = symbol, module, opted_shared_bytes
        self.name = source_name(module, symbol) or symbol
        self.constants: dict[str, bytes] = {}

    def dynamic_shared_bytes(self, gpu: Gpu, static: int) -> int:
        """Return the maximum dynamic shared memory of a block: what the program asked for, if it did.

        Else it is the GPU's default less `static`, the bytes that the kernel declares.
        """
        requested = self.opted_shared_bytes
        return requested if requested > 0 else max(0, gpu.default_shared_bytes - static)

    @property
    def code(self) -> Function:
        """The kernel's function in the IR."""
        return self.module.function(f"@{self.symbol}")


class Timer(Handle):
    """A measurement that began."""

    def __init__(self, started_ns: int) -> None:
        super().__init__()
        self.started_ns = started_ns
