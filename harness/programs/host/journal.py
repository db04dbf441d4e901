"""Record a host function's allocations, copies, fills, launches and host writes, for another process to repeat.

An entry is a list, a kind and plain values; `harness.backends.replay` reads it. Allocations go by their numbers, bytes
are hexadecimal. Memory that the host can address changes without a call: its content is recorded before it is used.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from harness.programs.host.storage import Range, Storage
from harness.simt.state.allocation import Allocation

__all__ = ["Journal"]


class Journal:
    """Records operations in the order in which they happen.

    Args:
        emit: Called with each entry; None to record nothing.
    """

    def __init__(self, emit: Callable[[str, Any], None] | None = None) -> None:
        self._tell = emit
        self._known: dict[int, bytes] = {}  # what the host's memory holds as far as it was told, by allocation

    def record_argument(self, number: int, argument: int, allocation: Allocation) -> None:
        """Record that memory got the content of a data set's argument."""
        self._say("given", number, argument, allocation.number)

    def record_allocation(self, allocation: Allocation) -> None:
        """Record an allocation."""
        self._say("buffer", allocation.number, len(allocation.data))

    def freed(self, allocation: Allocation) -> None:
        """Record that memory is given back."""
        if self._tell:
            self._known.pop(allocation.number, None)
            self._say("freed", allocation.number)

    def filled(self, target: Range, pattern: bytes) -> None:
        """Record that memory was filled with a pattern, again and again."""
        if self._tell:
            self._say("fill", *_place(target), pattern.hex())
            self.changed(target.storage)

    def written(self, target: Range) -> None:
        """Record what the host copied to memory, with its bytes."""
        if self._tell:
            self._say("host", *_place(target), target.data.tobytes().hex(), "")
            self.changed(target.storage)

    def copied(self, target: Range, source: Range) -> None:
        """Record that memory was copied, as many bytes as both ranges have."""
        if self._tell:
            size = min(target.size, source.size)
            self._say("copy", *_place(target)[:2], *_place(source)[:2], size)
            self.changed(target.storage)

    def launched(
        self, symbol: str, geometry: Sequence[Any], parameters: Iterable[bytes], constants: Mapping[str, bytes]
    ) -> None:
        """Record a launch: the kernel's symbol, grid, block, cluster and shared memory, parameters and constants."""
        if self._tell:
            written = {name: raw.hex() for name, raw in constants.items()}
            self._say("launch", symbol, *geometry, [raw.hex() for raw in parameters], written)

    def notice(self, storage: Storage) -> None:
        """Record all bytes of memory that the host changed since the journal last knew them, before they are used next.

        What the host wrote becomes defined first. Nothing happens if the journal records nothing, for memory that the
        host cannot address, and for memory that was freed.
        """
        if not self._tell or not _addressable(storage):
            return
        storage.notice_writes()
        allocation = storage.allocation
        content = allocation.data.tobytes()
        if self._known.get(allocation.number) != content:
            self._known[allocation.number] = content
            undefined = b"" if allocation.shadow is None else (allocation.shadow != 0).tobytes()
            self._say("host", allocation.number, 0, len(content), content.hex(), undefined.hex())

    def changed(self, storage: Storage) -> None:
        """Note what memory holds after the device changed it, so that `notice` sees only what the host writes later."""
        if self._tell and _addressable(storage):
            self._known[storage.allocation.number] = storage.allocation.data.tobytes()

    def _say(self, kind: str, *facts: Any) -> None:
        if self._tell:
            self._tell("device", [kind, *facts])


def _place(target: Range) -> tuple[int, int, int]:
    return target.storage.allocation.number, target.offset, target.size


def _addressable(storage: Storage) -> bool:
    return (storage.host is not None or storage.foreign) and not storage.allocation.freed
