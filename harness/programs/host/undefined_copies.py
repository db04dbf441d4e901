"""Watch undefined bytes that were copied to the host, on closed pages: a read is an error, a write defines them.

Many programs copy more than was written and never look at the rest, so that the copy itself is no mistake. The pages
with such bytes are closed, so that a read of one of them is seen. Accesses to other bytes on these pages are let
through, one instruction at a time.

Where the processor cannot do that, the first access opens its page, and the copies with bytes there are counted as no
longer watched. Where the machine does not say whether an access was a write, its page is first opened for reading
alone: a write faults there once more, and an access without that second fault was a read.
"""

from __future__ import annotations

import mmap
import signal
from collections.abc import Callable
from dataclasses import dataclass, field, replace

import numpy as np

from harness.programs.host import pages
from harness.programs.host.faults import Fault
from harness.programs.host.pages import Bytes, HostMemory
from harness.programs.host.storage import Range, Storage
from harness.simt.arrays import Booleans

__all__ = ["STEPS", "Copy", "UndefinedCopies"]

_NOTHING = np.zeros(0, np.uint8)
STEPS = 20_000  # accesses that are let through; each takes some 30 us
Calls = tuple[int, ...]
# Told of a copy: its severity, how many of its bytes nobody wrote, and where the host reads one, if it does.
Tell = Callable[["Copy", str, int, Calls], None]


def _groups(marks: Booleans, skipped: int, size: int) -> Booleans:
    """Return, for each group of `size` elements, whether it has a mark; the first begins `skipped` elements earlier."""
    padded = np.zeros(-(-(skipped + len(marks)) // size) * size, bool)
    padded[skipped : skipped + len(marks)] = marks
    groups: Booleans = np.logical_or.reduce(padded.reshape(-1, size), axis=1)
    return groups


@dataclass(slots=True, eq=False)
class Copy:
    """A copy with undefined bytes.

    Attributes:
        range: The host's memory.
        source: The name in reports of the memory it was copied from.
        calls: Return addresses of the call that queued it.
        before: The content of the memory when the copy arrived.
        unwatched: Whether the host may have accessed one of its pages unseen, because the page was opened for good.
    """

    range: Range
    source: str
    calls: Calls
    before: Bytes = field(default_factory=lambda: _NOTHING)
    unwatched: bool = False

    def notice(self) -> None:
        """Mark as written what the host changed since the copy arrived, in whole words of four bytes.

        The other bytes of that word may hold what they held by chance: a wrong claim would be worse than a missed one.
        """
        allocation, first, stop = self.range.storage.allocation, self.range.offset, self.range.offset + self.range.size
        if allocation.shadow is None:
            return
        undefined = allocation.writable_shadow()[first:stop]
        skipped = first % pages.WORD  # bytes of its first word that are not its own
        words = _groups((self.range.data != self.before) & (undefined != 0), skipped, pages.WORD)
        undefined[np.repeat(words, pages.WORD)[skipped : skipped + len(undefined)]] = 0

    def renew(self, other: Range) -> None:
        """Update `before` where a later copy overlaps this one: the host has not changed what that copy brought."""
        first = max(self.range.offset, other.offset)
        stop = min(self.range.offset + self.range.size, other.offset + other.size)
        if self.range.storage is other.storage and first < stop:
            overlap = slice(first - self.range.offset, stop - self.range.offset)
            self.before[overlap] = self.range.data[overlap]

    def on_page(self, page: int) -> bool:
        """Return whether any of its bytes, defined or not, lies on a page of the host's memory, by number."""
        first, last = self.range.offset // mmap.PAGESIZE, (self.range.offset + self.range.size - 1) // mmap.PAGESIZE
        return first <= page <= last

    def holds(self, address: int) -> bool:
        """Return whether an address lies in the copy's range and its byte is undefined."""
        storage, offset = self.range.storage, address - self.range.storage.address
        shadow = storage.allocation.shadow
        inside = self.range.offset <= offset < self.range.offset + self.range.size
        return inside and shadow is not None and bool(shadow[offset])


@dataclass(slots=True, eq=False)
class _Watch:
    """Pages of the host that hold such bytes.

    Attributes:
        closed: Their numbers.
        passing: Those that are open while one instruction runs.
    """

    storage: Storage
    host: HostMemory
    copies: list[Copy] = field(default_factory=list)
    closed: set[int] = field(default_factory=set)
    passing: list[int] = field(default_factory=list)

    def look(self) -> None:
        """Mark as written what the host changed, and set `closed` to the pages that still hold undefined bytes.

        All pages must be open, and none is protected here.
        """
        self.closed.clear()
        if self.storage.allocation.shadow is None:
            return
        for copy in self.copies:
            copy.notice()
            shadow = self.storage.allocation.writable_shadow()  # as it is now
            undefined = shadow[copy.range.offset : copy.range.offset + copy.range.size] != 0
            first, skipped = divmod(copy.range.offset, mmap.PAGESIZE)
            closed = _groups(undefined, skipped, mmap.PAGESIZE)
            self.closed.update((np.flatnonzero(closed) + first).tolist())

    def protect(self, protection: int) -> None:
        """Let the host do this and no more with the closed pages."""
        self.host.protect_pages(self.closed, protection)


@dataclass(frozen=True, slots=True, eq=False)
class _Access:
    """An access to a closed page.

    Attributes:
        calls: Return addresses, its place first.
        counter: Of the program; empty where it is not known.
        step: Whether the program can go on from it for one instruction, and goes on so.
    """

    watch: _Watch
    page: int
    address: int
    calls: Calls
    counter: Calls = ()
    step: Callable[[], bool] = lambda: False


class UndefinedCopies:
    """Watches undefined bytes after they were copied to the host.

    Args:
        emit: Called with each finding.

    Attributes:
        unwatched: The number of copies that were not watched to the end and still had undefined bytes then.
    """

    def __init__(self, emit: Tell) -> None:
        self._tell = emit
        self._copies: list[Copy] = []
        self._watched: dict[int, _Watch] = {}  # by the host memory's address
        self._stepping: _Watch | None = None
        self._undecided: _Access | None = None  # a read, unless it faults once more
        self._steps = STEPS
        self.unwatched = 0

    def __contains__(self, address: int) -> bool:
        """Return whether pages of the host's memory at this address are protected."""
        return address in self._watched

    def arrived(self, target: Range, source: str, calls: Calls) -> None:
        """Watch a copy to the host that is done, if any of its bytes is undefined.

        Its pages are open, and are closed by the next `protect`.
        """
        self._decide()
        host = target.storage.host
        if host is None or not target.undefined:
            return
        for earlier in self._copies:
            earlier.renew(target)
        copy = Copy(target, source, calls, target.data.copy())
        self._copies.append(copy)
        watch = self._watched.setdefault(host.address, _Watch(target.storage, host))
        watch.copies.append(copy)
        watch.look()

    def protect(self, *, closed: bool) -> None:
        """Close the watched pages, or open them while work runs."""
        self._decide()
        for watch in self._watched.values():
            watch.protect(pages.NONE if closed else pages.READ | pages.WRITE)

    def forget(self, storage: Storage) -> None:
        """Stop watching a storage and open its pages, because other work that uses the memory is queued.

        Its copies are still reported by `release`.
        """
        self._decide()
        if storage.host is not None and (watch := self._watched.pop(storage.host.address, None)):
            watch.protect(pages.READ | pages.WRITE)

    def release(self, storage: Storage) -> None:
        """Report the copies of a storage that are still undefined when the host is done with it, as information.

        They are no longer watched; those that were not watched to the end are counted in `unwatched`.
        """
        self.forget(storage)
        for copy in [copy for copy in self._copies if copy.range.storage is storage]:
            self._copies.remove(copy)
            copy.notice()
            if count := copy.range.undefined:
                self.unwatched += copy.unwatched
                self._tell(copy, "information", count, ())

    def report_unwatched(self, source: Range, calls: Calls) -> None:
        """Report a copy to host memory that is not watched: an error if all bytes are undefined, else information."""
        if count := source.undefined:
            self._tell(Copy(source, source.name, calls), "error" if count == source.size else "information", count, ())

    def survived(self, fault: Fault) -> bool:
        """Handle a fault on a watched page, or a single step after it; return False if it is neither.

        The page is opened for the access. A read of an undefined byte is reported; a write makes its word defined. If
        the machine does not say which it was, the page is opened for reading until the access is known.
        """
        if self._stepping is not None and fault.number == signal.SIGTRAP:
            passed, self._stepping = self._stepping, None
            fault.step(on=False)
            if passed.host.address in self._watched:
                passed.host.protect_pages(passed.closed.intersection(passed.passing), pages.NONE)
            passed.passing.clear()
            return True
        earlier = self._undecided
        if earlier is not None and (earlier.address, earlier.counter) == (fault.address, fault.counter):
            self._undecided = None
            self._wrote(replace(earlier, step=lambda: fault.step(on=True)))
            return True
        self._decide()
        if earlier is not None and fault.address in earlier.watch.host:
            return True  # that may have opened the page; if not, the access faults again
        watch = next((watch for watch in self._watched.values() if fault.address in watch.host), None)
        if watch is None:
            return False
        page = (fault.address - watch.host.address) // mmap.PAGESIZE
        if page not in watch.closed:
            return False
        access = _Access(watch, page, fault.address, fault.calls, fault.counter)
        if fault.wrote is None:
            self._undecided = access
            watch.host.protect_pages([page], pages.READ)
        elif fault.wrote:
            self._wrote(replace(access, step=lambda: fault.step(on=True)))
        else:
            self._read(replace(access, step=lambda: fault.step(on=True)))
        return True

    def _decide(self) -> None:
        """Handle the undecided access as a read, because it did not fault once more; nothing if there is none."""
        undecided, self._undecided = self._undecided, None
        if undecided is not None and undecided.page in undecided.watch.closed:
            self._read(undecided)

    def _read(self, access: _Access) -> None:
        """Handle a read from a closed page: report the copies whose byte it is as errors, and stop watching the memory.

        Any other read is let through.
        """
        watch = access.watch
        if any(copy.holds(access.address) for copy in watch.copies):
            watch.protect(pages.READ | pages.WRITE)
            watch.look()  # the host itself may have written it meanwhile
            watch.protect(pages.NONE)
            read = [copy for copy in watch.copies if copy.holds(access.address)]
            for copy in read:
                self._copies.remove(copy)
                self._tell(copy, "error", copy.range.undefined, access.calls)
            if read:
                self.forget(watch.storage)
            if read or access.page not in watch.closed:
                return
        self._let_through(access)

    def _wrote(self, access: _Access) -> None:
        """Handle a write to a closed page: its word of four bytes becomes defined, even if its value did not change."""
        storage = access.watch.storage
        if storage.allocation.shadow is not None:
            word = (access.address - access.watch.host.address) // pages.WORD * pages.WORD
            storage.allocation.writable_shadow()[word : word + pages.WORD] = 0
        self._let_through(access)

    def _let_through(self, access: _Access) -> None:
        """Open a page for one instruction, or for good where the processor cannot step, or after `STEPS` steps in all.

        If the page is opened for good, copies with bytes there become `unwatched`.
        """
        watch = access.watch
        if self._steps > 0 and access.step():
            self._steps -= 1
            self._stepping = watch
            watch.passing.append(access.page)
        else:
            watch.closed.discard(access.page)
            for copy in watch.copies:
                copy.unwatched |= copy.on_page(access.page)
        watch.host.protect_pages([access.page], pages.READ | pages.WRITE)
