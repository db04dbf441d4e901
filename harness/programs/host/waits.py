"""Detect that the host accesses memory before queued work with it is done, by closed pages and their faults.

While queued work is to write memory, its pages cannot be touched, and while it is to read it, they cannot be written. A
launch does not say before what it uses: the host goes on when it accesses memory that the launch may use, and a
conflict is reported when the launch has run and touched the same byte.

Not every machine says whether an access was a write. Pages that may not even be read are therefore first opened for
reading: a write then faults once more, and is known for certain.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from harness.programs.host import pages
from harness.programs.host.faults import Fault
from harness.programs.host.queue import Operation
from harness.programs.host.storage import Storage
from harness.programs.host.touched import Touched
from harness.programs.host.undefined_copies import UndefinedCopies

__all__ = ["Early", "Waits"]

_EVERY = pages.READ | pages.WRITE


@dataclass(frozen=True, slots=True)
class Early:
    """The host came to memory of queued work.

    Attributes:
        byte: Of the storage.
        calls: Return addresses, the place of the access first.
    """

    operation: Operation
    storage: Storage
    byte: int
    wrote: bool
    calls: tuple[int, ...]


@dataclass(slots=True)
class _Pending:
    """The queued work that uses one host memory.

    Attributes:
        uses: Work that may read or write any of it: launches.
        readable: Whether the host accessed it before one of these was done, and is not known to have written; then the
            pages stay readable until the next is queued.
        opened: Whether the host wrote before one of these was done; then the pages stay open until the next is queued.
        is_reported: Whether an early access was reported; then the pages stay open until the work is done.
    """

    storage: Storage
    reads: list[Operation] = field(default_factory=list)
    writes: list[Operation] = field(default_factory=list)
    uses: list[Operation] = field(default_factory=list)
    readable: bool = False
    opened: bool = False
    is_reported: bool = False

    def protection(self) -> int:
        if self.is_reported or self.opened or not (self.reads or self.writes or self.uses):
            return _EVERY
        return pages.NONE if (self.writes or self.uses) and not self.readable else pages.READ


class Waits:
    """Protects the host's memory while work with it is queued.

    Args:
        copies: The undefined copies, which protect pages too.
        emit: Called with an early access, and whether the work was to write there.
    """

    def __init__(self, copies: UndefinedCopies, emit: Callable[[Early, bool], None]) -> None:
        self._copies, self._tell = copies, emit
        self._pending: dict[int, _Pending] = {}  # by the memory's address
        self._early: list[Early] = []
        self._open = 0  # how many operations run now, and others that come to the memory

    def queued(self, operation: Operation) -> None:
        """Protect the host's memory that an operation uses until it is done, and stop watching undefined copies there.

        The host may still read what the operation only reads. What it writes, or as a launch may use, the host can
        neither read nor write. All of each storage is protected. A host that comes to it goes on, and a conflict is
        reported: see `survived`.
        """
        reads, writes = (
            [span.storage for span in ranges if span.size] for ranges in (operation.reads, operation.writes)
        )
        for kind, storages in (("reads", reads), ("writes", writes), ("uses", operation.uses)):
            for storage in storages:
                if storage.host is not None:
                    self._copies.forget(storage)
                    pending = self._pending.setdefault(storage.host.address, _Pending(storage))
                    getattr(pending, kind).append(operation)
                    pending.readable = pending.opened = False
                    self._close(pending)

    def finish(self, operation: Operation) -> None:
        """Forget a finished operation and its early accesses; open memory that no other queued work uses."""
        self._early = [early for early in self._early if early.operation is not operation]
        used = [*(span.storage for span in (*operation.reads, *operation.writes)), *operation.uses]
        for address in dict.fromkeys(storage.host.address for storage in used if storage.host is not None):
            pending = self._pending.get(address)
            if pending is None:
                continue
            for operations in (pending.reads, pending.writes, pending.uses):
                if operation in operations:
                    operations.remove(operation)
            if not (pending.reads or pending.writes or pending.uses):
                del self._pending[address]
                if pending.storage.host is not None:
                    pending.storage.host.protect(_EVERY)

    @contextmanager
    def opened(self) -> Iterator[None]:
        """Open all memory of the host in the block, and protect it again after the outermost one."""
        self._open += 1
        if self._open == 1:
            self._protect()
        try:
            yield
        finally:
            self._open -= 1
            if not self._open:
                self._protect()

    def _protect(self) -> None:
        for pending in self._pending.values():
            self._close(pending)
        self._copies.protect(closed=not self._open)

    def _close(self, pending: _Pending) -> None:
        host = pending.storage.host
        if host is not None and host.address not in self._copies:
            host.protect(_EVERY if self._open else pending.protection())

    def touched(self, operation: Operation, touched: Touched) -> None:
        """Report the first early access of the host to bytes that an operation touched, if one of the two wrote.

        Further ones to the same memory are not reported.
        """
        for early in self._early:
            is_same_memory = early.operation is operation and early.storage.allocation is touched.allocation
            if is_same_memory and early.byte in touched and (touched.wrote or early.wrote):
                self._tell(early, touched.wrote)
                self._early = [
                    other
                    for other in self._early
                    if other.operation is not operation or other.storage is not early.storage
                ]
                return

    def survived(self, fault: Fault) -> bool:
        """Handle a page fault on memory that queued work uses; return False if no such memory is closed there.

        Its pages are opened as far as needed. The access is reported if some of that work is certain to conflict with
        it, else noted for each launch that may, until it is known what the launch touched.
        """
        for pending in self._pending.values():
            host, storage = pending.storage.host, pending.storage
            if host is None or fault.address not in host or pending.is_reported or pending.opened:
                continue
            wrote = fault.wrote or pending.protection() == pages.READ
            certain = pending.writes or (pending.reads if wrote else [])
            early_accesses = [
                Early(work, storage, fault.address - storage.address, wrote, fault.calls)
                for work in certain[:1] or pending.uses
            ]
            if certain:
                pending.is_reported = True
                self._tell(early_accesses[0], bool(pending.writes))
            else:
                pending.readable, pending.opened = True, wrote
                self._early += early_accesses
            host.protect(pending.protection())
            return True
        return False
