"""What only whole programs can do wrong, and how it is noticed.

* Freed memory, and memory that two own: each buffer that a program makes is a claim on an allocation.
* The host and the device at one time: while queued work is to write the host's memory, its pages cannot be touched,
  and while it is to read it, they cannot be written. Who does so all the same is told, and goes on.
* Work in streams that do not wait for each other: clocks say what comes before what, and each piece of work which
  bytes it touched.
* Bytes that nobody wrote, copied to the host: see `undefined_copies`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from harness.programs.host import pages
from harness.programs.host.calls import callers
from harness.programs.host.faults import ABORTS, Fault
from harness.programs.host.queue import Operation
from harness.programs.host.storage import Range, Storage
from harness.programs.host.touched import Touched
from harness.programs.host.undefined_copies import Copy, UndefinedCopies
from harness.simt.ir.values import SHIFT
from harness.simt.state.allocation import Allocation

__all__ = ["Checks"]

_REMEMBERED = 64  # accesses of one allocation


@dataclass(slots=True)
class _Pending:
    """What queued work is to do with the host's memory.

    Attributes:
        told: Whether somebody came too early: then the pages stay open until the work is done.
    """

    storage: Storage
    reads: list[Operation]
    writes: list[Operation]
    told: bool = False

    def protection(self) -> int:
        if self.told or not (self.reads or self.writes):
            return pages.READ | pages.WRITE
        return pages.NONE if self.writes else pages.READ


class Checks:
    """Follows what a program does with its buffers, and tells of what is wrong.

    Args:
        tell: Takes a message for whoever started the program.
        allocations: Of the device, by number.
    """

    def __init__(self, tell: Callable[[str, Any], None], allocations: dict[int, Allocation]) -> None:
        self._tell, self._allocations = tell, allocations
        self._pending: dict[int, _Pending] = {}  # by the host memory's address
        self._touched: dict[int, list[tuple[Operation, Touched]]] = {}  # by the allocation's number
        self._copies = UndefinedCopies(self._tell_undefined)
        self._open = 0  # how many operations run now
        self._freed: dict[str, tuple[int, ...]] = {}
        self._stacks: dict[tuple[int, ...], tuple[int, ...]] = {}  # a loop frees many buffers at one place

    # Work.

    def queued(self, operation: Operation) -> None:
        """An operation was queued."""
        if operation.done:
            return
        for ranges, kind in ((operation.reads, "reads"), (operation.writes, "writes")):
            for span in ranges:
                storage = span.storage
                if storage.host is not None and span.size:
                    self._copies.forget(storage)
                    pending = self._pending.setdefault(storage.host.address, _Pending(storage, [], []))
                    getattr(pending, kind).append(operation)
        self._protect()

    def begins(self, operation: Operation) -> None:
        """An operation runs next."""
        self._open += 1
        self._protect()
        for span in (*operation.reads, *operation.writes):
            if span.storage.allocation.freed:
                facts: dict[str, Any] = {"what": operation.what, "argument": span.name}
                self.finding("use-after-free.host", "error", operation.calls, freed=self.freed(span.name), **facts)

    def ends(self, operation: Operation) -> None:
        """An operation is done."""
        self._open -= 1
        for address, pending in list(self._pending.items()):
            for operations in (pending.reads, pending.writes):
                if operation in operations:
                    operations.remove(operation)
            if not (pending.reads or pending.writes):
                del self._pending[address]
                self._open_again(pending.storage)
        self._protect()
        for ranges, wrote in ((operation.reads, False), (operation.writes, True)):
            for span in ranges:
                if span.size:
                    last = span.offset + span.size - 1
                    self.touched(operation, Touched(span.storage.allocation, span.offset, last, wrote))

    def _protect(self) -> None:
        every = pages.READ | pages.WRITE
        for address, pending in self._pending.items():
            if pending.storage.host is not None and address not in self._copies:
                pending.storage.host.protect(every if self._open else pending.protection())
        self._copies.protect(closed=not self._open)

    def _open_again(self, storage: Storage) -> None:
        if storage.host is not None:
            storage.host.protect(pages.READ | pages.WRITE)

    def touched(self, operation: Operation, touched: Touched) -> None:
        """An operation touched bytes: nothing else may do so that is not ordered with it, unless both read
        or both are atomic.
        """
        known = self._touched.setdefault(touched.allocation.number, [])
        for other, earlier in known:
            if other is operation or other.before(operation) or operation.before(other):
                continue
            if touched.meets(earlier):
                self.finding(
                    "stream-race",
                    "error",
                    operation.calls,
                    other.calls,
                    what=operation.what,
                    other=other.what,
                    argument=touched.allocation.name,
                )
        known[:] = [
            (other, earlier) for other, earlier in known if not (other.before(operation) and touched.covers(earlier))
        ][-_REMEMBERED:]
        known.append((operation, touched))

    # Memory.

    def copied(self, operation: Operation, target: Range, source: Range) -> None:
        """A copy to the host's memory is done."""
        if source.storage.host is None or source.storage.unified:
            self._copies.arrived(target, source.name, operation.calls)

    def copied_away(self, operation: Operation, source: Range) -> None:
        """A copy is done to memory of the host that is not followed."""
        self._copies.gone(source, operation.calls)

    def copy_fits(self, what: str, target: Range, source: Range) -> None:
        """A copy is asked for: as many bytes as its target has."""
        if source.size < target.size:
            self.finding(
                "copy-too-short",
                "error",
                callers(),
                what=what,
                argument=target.name,
                source=source.name,
                wanted=target.size,
                given=source.size,
            )

    def left(self, storage: Storage) -> None:
        """The host is done with a storage for now."""
        self._copies.left(storage)

    def _tell_undefined(self, copy: Copy, severity: str, count: int, read: tuple[int, ...]) -> None:
        self.finding(
            "uninitialised-copy" if severity == "error" else "uninitialised-copy.unused",
            severity,
            copy.calls,
            read,
            what="copy",
            argument=copy.source,
            undefined=count,
            given=copy.range.size,
            first="copy",
            second="load",
        )

    def released(self, operation: Operation, storage: Storage, calls: tuple[int, ...]) -> None:
        """Memory was freed; what used it must have been done before for certain, not by luck."""
        name = storage.allocation.name
        self._freed[name] = self._stacks.setdefault(calls, calls)
        known = self._touched.pop(storage.allocation.number, ())
        if storage.host is not None:  # a driver waits before it frees the host's memory
            return
        for user in dict.fromkeys(other for other, _ in known if not other.before(operation)):
            self.finding("use-after-free.unordered", "error", user.calls, freed=calls, what=user.what, argument=name)

    def freed(self, name: str | None) -> tuple[int, ...]:
        """Where memory was freed, by what reports call it: return addresses, or none."""
        return self._freed.get(name or "", ())

    def released_twice(self, name: str, calls: tuple[int, ...]) -> None:
        """Memory was freed that somebody had freed before."""
        self.finding("double-free", "error", calls, what="release", argument=name)

    def freed_foreign(self, name: str, calls: tuple[int, ...]) -> None:
        """The device was to free memory that it did not make."""
        self.finding("foreign-memory", "error", calls, what="release", argument=name)

    def misuse(self, call: str, reason: str) -> None:
        """A call that cannot fail was given what it cannot use."""
        self.finding("misuse", "error", callers(), what=call, reason=reason)

    # The processor, and the end.

    def survived(self, fault: Fault) -> bool:
        """Whether a fault was only somebody's coming too early, or the first to come."""
        if self._copies.survived(fault):
            return True
        for pending in self._pending.values():
            host = pending.storage.host
            if host is None or fault.address not in host or pending.told:
                continue
            pending.told = True
            host.protect(pages.READ | pages.WRITE)
            name = "missing-wait.write" if not pending.writes else "missing-wait.read"
            work = (pending.writes or pending.reads)[0]
            self.finding(
                name, "error", fault.calls, work.calls, what=work.what, argument=pending.storage.allocation.name
            )
            return True
        for value in fault.registers if fault.address == 0 else (fault.address,):
            allocation = self._allocations.get(value >> SHIFT)
            if allocation is not None:
                self.finding("device-memory-on-host", "error", fault.calls, what="access", argument=allocation.name)
                return False
        name = "aborted" if fault.number in ABORTS else "crashed"
        self.finding(name, "error", fault.calls, what="end", signal=fault.name, address=fault.address)
        return False

    def never_awaited(self, operation: Operation) -> None:
        """An operation was still queued when the program ended."""
        self.finding("never-awaited", "warning", operation.calls, what=operation.what)

    def close(self, storages: Iterable[Storage], held: Iterable[Allocation]) -> None:
        """The program came to its end."""
        for storage in storages:
            self.left(storage)
        for allocation in held:
            self.finding("leak", "information", (), argument=allocation.name, given=allocation.size)

    def finding(
        self, name: str, severity: str, *calls: tuple[int, ...], freed: tuple[int, ...] = (), **values: Any
    ) -> None:
        """Tells of a finding.

        Args:
            calls: For each place the return addresses that lead there, innermost first.
            freed: The same, of where the memory was freed that it is about.
        """
        facts = {"id": name, "severity": severity, "calls": [places for places in calls if places], "values": values}
        self._tell("finding", facts | {"argument": values.get("argument"), "freed": freed})
