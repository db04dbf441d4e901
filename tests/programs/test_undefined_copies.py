"""`harness.programs.host.undefined_copies`: what the host does with bytes that nobody wrote."""

from __future__ import annotations

import mmap
import signal
import time
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest

from harness.programs.host import undefined_copies
from harness.programs.host.faults import Fault
from harness.programs.host.pages import HostMemory
from harness.programs.host.storage import Range, Storage
from harness.programs.host.undefined_copies import Copy, UndefinedCopies
from harness.simt.ir.values import POISON_BYTES
from harness.simt.state.device import Device

SIZE = 64
LIMIT = 1.0  # seconds
PATTERN = POISON_BYTES[:4].tolist()


class Run:
    """Memory of the host to which a device's was copied, `written` bytes of which somebody had written.

    Args:
        step: Of how many bytes it is the first that is not written from there on.
        first: Where the copy begins.
    """

    def __init__(self, written: int, size: int = SIZE, step: int = 1, first: int = 0) -> None:
        self.told: list[tuple[str, int, tuple[int, ...]]] = []
        self.copies = UndefinedCopies(lambda copy, severity, count, read: self.told.append((severity, count, read)))
        device, pages = Device(), HostMemory(size)
        self.data = pages.data
        self.storage = Storage(device.allocate(size, "host buffer 0", data=pages.data), pages.address, pages)
        source = device.allocate(size, "buffer 1")
        defined = (np.arange(size) < written) | (np.arange(size) % step != 0)
        source.writable_shadow()[defined], source.data[defined] = 0, 1
        target = Range(self.storage, first, size - first)
        target.copy(Range(Storage(source, source.base), first, size - first))
        self.copies.arrived(target, source.name, (1,))
        self.copies.protect(closed=True)

    def touch(
        self,
        byte: int,
        *,
        wrote: bool | None = False,
        steps: bool = True,
        number: int = signal.SIGSEGV,
        place: int = 2,
        known: bool = True,
    ) -> bool:
        """What a fault comes to.

        Args:
            wrote: None where the machine does not say it.
            steps: Whether the processor can end after one instruction.
            place: Where the program is, if that is known.
        """
        address, counter = self.storage.address + byte, (place,) if known else ()
        facts = {"number": number, "address": address, "wrote": wrote, "calls": (place,), "counter": counter}
        fault = SimpleNamespace(**facts, step=lambda *, on: steps)
        return self.copies.survived(cast(Fault, cast(Any, fault)))

    def end(self) -> list[tuple[str, int, tuple[int, ...]]]:
        """All that was told when the program has ended."""
        self.copies.release(self.storage)
        return self.told


def test_a_read_of_what_nobody_wrote_is_an_error_at_its_place():
    run = Run(written=32)

    assert run.touch(0) and run.touch(0, number=signal.SIGTRAP)
    assert not run.told
    assert run.touch(40)
    assert run.told == [("error", 32, (2,))]
    assert not run.touch(44), "its pages are open now"
    assert run.end() == [("error", 32, (2,))]


def test_what_is_not_read_is_for_information_and_what_the_host_wrote_is_nothing():
    read, wrote = Run(written=32), Run(written=32)

    assert read.touch(31) and wrote.touch(32, wrote=True)
    wrote.data[32:] = 7
    assert read.end() == [("information", 32, ())]
    assert wrote.end() == []


def test_what_the_host_wrote_whole_is_open():
    run = Run(written=32)

    assert run.touch(32, wrote=True)
    run.data[32:] = 7
    assert run.touch(32, number=signal.SIGTRAP) and run.touch(40)
    assert not run.touch(40, number=signal.SIGTRAP) and run.data[40] == 7


def test_what_the_host_wrote_it_may_read():
    run = Run(written=32)

    assert run.touch(32, wrote=True)
    run.data[32:36] = 7
    assert run.touch(32, number=signal.SIGTRAP) and run.touch(32)
    assert not run.told and run.touch(32, number=signal.SIGTRAP)
    assert run.touch(36) and run.told == [("error", 28, (2,))]


def test_without_steps_the_first_access_to_a_page_is_seen():
    read, passed, wrote = Run(written=0), Run(written=32), Run(written=0)

    assert read.touch(0, steps=False) and read.told == [("error", SIZE, (2,))]
    assert passed.touch(0, steps=False) and not passed.touch(40, steps=False), "its page is open now"
    assert wrote.touch(0, steps=False, wrote=True)
    assert passed.end() == [("information", 32, ())] and passed.copies.unwatched == 1
    assert wrote.end() == [("information", SIZE - 4, ())] and wrote.copies.unwatched == 1


def test_without_steps_what_is_written_whole_is_not_counted():
    run = Run(written=0)

    assert run.touch(0, steps=False, wrote=True)
    run.data[:] = 7
    assert run.end() == [] and run.copies.unwatched == 0


def test_without_steps_an_access_beside_a_copy_is_no_use_of_it():
    """Of two parts of a buffer nobody wrote the first, and the host reads the second."""
    run = Run(written=0, first=32)

    assert run.touch(0, steps=False)
    assert [severity for severity, *_ in run.end()] == ["information"]


def test_without_steps_other_pages_stay_closed():
    run = Run(written=0, size=2 * mmap.PAGESIZE)

    assert run.touch(0, steps=False, wrote=True) and not run.touch(4, steps=False)
    assert run.touch(mmap.PAGESIZE, steps=False)
    assert [severity for severity, *_ in run.told] == ["error"]


UNKNOWN: dict[str, Any] = {"wrote": None, "steps": False}


def test_an_access_that_faults_again_was_a_write():
    run = Run(written=0)

    assert run.touch(0, **UNKNOWN) and not run.told, "it may be a write"
    assert run.touch(0, **UNKNOWN)
    run.data[:4] = 7
    assert run.end() == [("information", SIZE - 4, ())]


def test_an_access_that_does_not_was_a_read():
    ended, passed = Run(written=32), Run(written=32)

    assert ended.touch(40, **UNKNOWN) and ended.end() == [("error", 32, (2,))]
    assert passed.touch(4, **UNKNOWN) and passed.end() == [("information", 32, ())]
    assert passed.copies.unwatched == 1


def test_a_read_is_decided_before_other_work_comes():
    for work in (lambda run: run.copies.protect(closed=False), lambda run: run.copies.forget(run.storage)):
        run = Run(written=32)
        assert run.touch(40, **UNKNOWN)
        work(run)
        assert run.told == [("error", 32, (2,))]


def test_a_read_and_then_a_write_of_one_place_are_told_apart_by_the_program_counter():
    known, unknown = Run(written=32), Run(written=32)

    assert known.touch(40, **UNKNOWN) and known.touch(40, **UNKNOWN, place=6)
    assert known.told == [("error", 32, (2,))]
    assert unknown.touch(40, **UNKNOWN, known=False) and unknown.touch(40, **UNKNOWN, known=False, place=6)
    assert unknown.told == [], "it may have been one write, so nothing is claimed"
    assert unknown.end() == [("information", 28, ())] and unknown.copies.unwatched == 1


def test_a_write_elsewhere_on_a_page_that_was_read_goes_on():
    run = Run(written=32)

    assert run.touch(4, **UNKNOWN) and run.touch(8, **UNKNOWN)
    assert run.data[8] == 1 and not run.touch(8, **UNKNOWN), "its page is open"
    run.data[8] = 2


def test_after_many_accesses_nothing_is_watched(monkeypatch):
    monkeypatch.setattr(undefined_copies, "STEPS", 2)
    run = Run(written=32)

    assert all(run.touch(0) and run.touch(0, number=signal.SIGTRAP) for _ in range(2))
    assert run.touch(0) and not run.touch(40)
    assert run.end() == [("information", 32, ())]


@pytest.mark.parametrize(("written", "size", "byte"), [(0, SIZE, 4), (62, SIZE, 62), (64, 66, 65)])
def test_elements_smaller_than_a_word_are_known_one_by_one(written, size, byte):
    run = Run(written, size, step=2 if written == 0 else 1)

    assert run.touch(byte)
    assert [(severity, read) for severity, _, read in run.told] == [("error", (2,))]


def test_what_the_host_wrote_it_may_read_though_it_wrote_what_was_there():
    run = Run(written=0, size=66)

    assert run.touch(65, wrote=True)
    run.data[64:66] = PATTERN[:2]
    assert run.touch(65, number=signal.SIGTRAP) and run.touch(65) and not run.told


def test_of_two_copies_to_one_place_the_bytes_of_the_last_count():
    run = Run(written=32)
    source = Device().allocate(SIZE, "buffer 2")
    target = Range(run.storage, 0, SIZE)
    run.copies.forget(run.storage)
    target.copy(Range(Storage(source, source.base), 0, SIZE))
    run.copies.arrived(target, source.name, (3,))

    assert [count for _, count, _ in run.end()] == [SIZE, SIZE]


@pytest.mark.parametrize("first", range(8))
@pytest.mark.parametrize("changed", range(8, 16))
def test_a_word_that_the_host_wrote_is_one_of_the_memory_and_not_of_the_copy(first, changed):
    """Nothing but the copy's own bytes of that word counts as written."""
    run = Run(written=0)
    allocation = run.storage.allocation
    run.copies.protect(closed=False)
    copy = Copy(Range(run.storage, first, 17), "buffer 1", (1,))
    copy.before = copy.range.data.copy()
    run.data[changed] ^= 1
    copy.notice()

    word = range(changed // 4 * 4, changed // 4 * 4 + 4)
    assert np.flatnonzero(allocation.writable_shadow() == 0).tolist() == [
        byte for byte in word if first <= byte < first + 17
    ]


@pytest.mark.slow
def test_a_program_that_fills_what_it_mapped_waits_a_moment():
    """A buffer is mapped, which copies bytes that nobody wrote, and filled: 4 MiB, and 20,000 accesses one by one."""
    sizes = []
    for _ in range(5):  # the least of them: the machine may do much else
        start = time.thread_time()
        run = Run(written=0, size=1 << 22)
        for byte in range(0, 4 * undefined_copies.STEPS, 4):
            assert run.touch(byte, wrote=True) and run.touch(byte, number=signal.SIGTRAP)
        run.copies.protect(closed=False)
        run.data[:] = 1
        assert run.end() == []
        sizes.append(time.thread_time() - start)
        if sizes[-1] < LIMIT:
            break

    assert min(sizes) < LIMIT
