"""Report stream races, use of freed memory, double frees, leaks and crashes; calls `waits`, `undefined_copies`.

* Freed memory, and memory with two owners: each buffer that a program makes is a claim on an allocation.
* Accesses of the host before queued work with the memory is done: see `waits`.
* Work in streams that do not wait for each other: clocks order operations, and each has the bytes that it touched.
* Bytes that were never written, copied to the host: see `undefined_copies`.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager
from typing import Any

from harness.programs.host import faults, pages
from harness.programs.host.calls import callers
from harness.programs.host.faults import ABORTS, Fault
from harness.programs.host.queue import Operation
from harness.programs.host.storage import Range, Storage
from harness.programs.host.touched import Touched
from harness.programs.host.undefined_copies import STEPS, Copy, UndefinedCopies
from harness.programs.host.waits import Early, Waits
from harness.simt.ir.values import SHIFT
from harness.simt.state.allocation import Allocation

__all__ = ["Checks"]

_REMEMBERED = 64  # accesses of one allocation
_GONE = 256


class Checks:
    """Follows what a program does with its buffers, and reports what is wrong.

    Args:
        emit: Called with a message for the parent process.
        allocations: The device's allocations, by number.
    """

    def __init__(self, emit: Callable[[str, Any], None], allocations: dict[int, Allocation]) -> None:
        self._tell, self._allocations = emit, allocations
        self._touched: dict[int, list[tuple[Operation, Touched]]] = {}  # by the allocation's number
        self._copies = UndefinedCopies(self._tell_undefined)
        self._waits = Waits(self._copies, self._tell_early)
        self._freed: dict[str, tuple[int, ...]] = {}
        self._gone: deque[Storage] = deque(maxlen=_GONE)  # the host's memory that was freed, its pages closed
        self._stacks: dict[tuple[int, ...], tuple[int, ...]] = {}  # a loop frees many buffers at one place

    # Work.

    def queued(self, operation: Operation) -> None:
        """Note that an operation was queued: the host's memory that it uses is protected until it is done."""
        if not operation.done:
            self._waits.queued(operation)

    def begins(self, operation: Operation) -> None:
        """Report each freed range that an operation reads or writes, before it runs.

        The pages of freed host memory in its `reads`, `writes` and `uses` are opened, so that it can run; for `uses`
        nothing is reported.
        """
        for span in (*operation.reads, *operation.writes):
            if span.storage.allocation.freed:
                facts: dict[str, Any] = {"what": operation.what, "argument": span.name}
                self.finding("use-after-free.host", "error", operation.calls, freed=self.freed(span.name), **facts)
                self._reopen(span.storage)
        for storage in operation.uses:
            if storage.allocation.freed:  # what the kernel does with it, that tells itself
                self._reopen(storage)

    def ends(self, operation: Operation) -> None:
        """Note that an operation is done: its host memory is no longer protected for it.

        Its `reads` and `writes` are passed to `touched`, which records them and reports races.
        """
        self._waits.finish(operation)
        for ranges, wrote in ((operation.reads, False), (operation.writes, True)):
            for span in ranges:
                if span.size:
                    last = span.offset + span.size - 1
                    self.touched(operation, Touched(span.storage.allocation, span.offset, last, wrote))

    def opened(self) -> AbstractContextManager[None]:
        """Return a context manager during which all memory of the host is open."""
        return self._waits.opened()

    def touched(self, operation: Operation, touched: Touched) -> None:
        """Record that an operation touched bytes, and report a race with each earlier access by another operation that
        shares a byte with it and is not ordered with it.

        Two reads, and two atomic accesses, do not race. At most 64 earlier accesses of an allocation are remembered,
        without those that are ordered before this one and covered by it. The first early access of the host to these
        bytes is reported, too, if one of the two wrote.
        """
        self._waits.touched(operation, touched)
        earlier_accesses = self._touched.setdefault(touched.allocation.number, [])
        for other, earlier in earlier_accesses:
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
        earlier_accesses[:] = [
            (other, earlier)
            for other, earlier in earlier_accesses
            if not (other.before(operation) and touched.covers(earlier))
        ][-_REMEMBERED:]
        earlier_accesses.append((operation, touched))

    def _tell_early(self, early: Early, written: bool) -> None:
        name = "missing-wait.read" if written else "missing-wait.write"
        work, argument = early.operation, early.storage.allocation.name
        self.finding(name, "error", early.calls, work.calls, what=work.what, argument=argument)

    # Memory.

    def copied(self, operation: Operation, target: Range, source: Range) -> None:
        """Note that a copy to the host's memory is done; watch its undefined bytes if they came from the device."""
        if source.storage.host is None or source.storage.unified:
            self._copies.arrived(target, source.name, operation.calls)

    def copied_away(self, operation: Operation, source: Range) -> None:
        """Report undefined bytes that were copied to memory of the host that is not followed."""
        self._copies.report_unwatched(source, operation.calls)

    def copy_fits(self, what: str, target: Range, source: Range) -> None:
        """Report a copy that the program asks for if its source is shorter than its target, or if the two overlap.

        A copy to the very same bytes is fine. Nothing is returned or raised.

        Args:
            what: The copy, for people.
        """
        apart = abs(target.offset - source.offset)  # what is copied to where it lies stays as it is
        if source.storage.allocation is target.storage.allocation and 0 < apart < target.size:
            self.finding(
                "copy-overlaps", "error", callers(), what=what, argument=target.name, shared=target.size - apart
            )
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

    def release(self, storage: Storage) -> None:
        """Report bytes copied to a storage that are still undefined, as information: the host is done with it for now.

        They are no longer watched.
        """
        self._copies.release(storage)

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
        """Record that memory was freed, for `freed`; report operations that used it and are not ordered before that.

        Nothing is reported for the host's memory, whose pages are closed instead: who uses them later is reported. Of
        such memory the last 256 storages are remembered.

        Args:
            operation: The freeing, in its stream.
            calls: Return addresses of the call that freed it.
        """
        name = storage.allocation.name
        self._freed[name] = self._stacks.setdefault(calls, calls)
        earlier_accesses = self._touched.pop(storage.allocation.number, ())
        if storage.host is not None:  # a driver waits before it frees the host's memory
            self._gone.append(storage)
            storage.host.protect(pages.NONE)
            return
        for user in dict.fromkeys(other for other, _ in earlier_accesses if not other.before(operation)):
            self.finding("use-after-free.unordered", "error", user.calls, freed=calls, what=user.what, argument=name)

    def _reopen(self, storage: Storage) -> None:
        """Open the pages of freed host memory again, after one report."""
        for freed in [freed for freed in self._gone if freed.allocation is storage.allocation]:
            self._gone.remove(freed)
            if freed.host is not None:
                freed.host.protect(pages.READ | pages.WRITE)

    def freed(self, name: str | None) -> tuple[int, ...]:
        """Return the return addresses of the call that freed memory, by the name in reports; () if it is not known."""
        return self._freed.get(name or "", ())

    def released_twice(self, name: str, calls: tuple[int, ...]) -> None:
        """Report that memory was freed that somebody had freed before."""
        self.finding("double-free", "error", calls, what="release", argument=name)

    def freed_foreign(self, name: str, calls: tuple[int, ...]) -> None:
        """Report that the device was to free memory that it did not make."""
        self.finding("foreign-memory", "error", calls, what="release", argument=name)

    def misuse(self, call: str, reason: str) -> None:
        """Report that a call that cannot fail was given what it cannot use."""
        self.finding("misuse", "error", callers(), what=call, reason=reason)

    # The processor, and the end.

    def survived(self, fault: Fault) -> bool:
        """Handle a fault of the program: report or note it, and return True if the program can go on.

        It can after an access to protected or freed pages of the host, which are opened for it, and after the single
        step that follows. An address of the device and any other fault are reported as errors, and it cannot.
        """
        if self._copies.survived(fault) or self._waits.survived(fault):
            return True
        for storage in self._gone:
            if storage.host is not None and fault.address in storage.host:
                name = storage.allocation.name
                self.finding("use-after-free.pages", "error", fault.calls, freed=self.freed(name), argument=name)
                self._reopen(storage)
                return True
        for value in fault.registers if fault.address == 0 else (fault.address,):
            allocation = self._allocations.get(value >> SHIFT)
            if allocation is not None:
                self.finding("device-memory-on-host", "error", fault.calls, what="access", argument=allocation.name)
                return False
        name = "aborted" if fault.number in ABORTS else "crashed"
        self.finding(name, "error", fault.calls, what="end", signal=fault.name, address=fault.address)
        return False

    def never_awaited(self, operation: Operation, *, returned: bool = False) -> None:
        """Warn of an operation that was still queued when the program ended.

        Args:
            returned: Whether it was rather when the function that it called returned.
        """
        name = "never-awaited.returned" if returned else "never-awaited"
        self.finding(name, "warning", operation.calls, what=operation.what)

    def close(self, storages: Iterable[Storage], allocations: Iterable[Allocation]) -> None:
        """Report what is left at the program's end, all as information.

        That is: copies with undefined bytes that were not read, how many of those were not watched throughout, and
        leaks.

        Args:
            storages: The claims that the program still holds.
            allocations: The memory that it should have given back.
        """
        with self.opened():
            for storage in storages:
                self.release(storage)
        if count := self._copies.unwatched:
            unwatched = "many" if faults.follows_accesses() else "no steps"
            facts: dict[str, Any] = {"count": count, "unwatched": unwatched, "steps": STEPS}
            self.finding("uninitialised-copy.unwatched", "information", **facts)
        for allocation in allocations:
            self.finding("leak", "information", (), argument=allocation.name, given=allocation.size)

    def finding(
        self, name: str, severity: str, *calls: tuple[int, ...], freed: tuple[int, ...] = (), **values: Any
    ) -> None:
        """Send a finding to the parent process.

        Args:
            calls: For each site the return addresses that lead there, innermost first; empty ones are left out.
            freed: If memory was freed, the return addresses of the call that freed it.
            values: Of its message; `argument` among them names the memory.
        """
        facts = {"id": name, "severity": severity, "calls": [places for places in calls if places], "values": values}
        self._tell("finding", facts | {"argument": values.get("argument"), "freed": freed})
