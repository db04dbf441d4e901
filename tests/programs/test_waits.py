"""`harness.programs.host.waits`: who comes to the host's memory while queued work uses it, on any machine."""

from __future__ import annotations

import signal
from types import SimpleNamespace
from typing import Any, cast

import pytest

from harness.programs.host import pages
from harness.programs.host.faults import Fault
from harness.programs.host.pages import HostMemory
from harness.programs.host.queue import Operation
from harness.programs.host.storage import Range, Storage
from harness.programs.host.touched import Touched
from harness.programs.host.undefined_copies import UndefinedCopies
from harness.programs.host.waits import Early, Waits
from harness.simt.state.device import Device

SIZE = 64


class Run:
    """Memory of the host, and work that uses it."""

    def __init__(self, kind: str) -> None:
        self.told: list[tuple[int, bool]] = []
        self.waits = Waits(UndefinedCopies(lambda *_: None), self._tell)
        self.pages = HostMemory(SIZE)
        self.storage = Storage(
            Device().allocate(SIZE, "host buffer 0", data=self.pages.data), self.pages.address, self.pages
        )
        span = (Range(self.storage, 0, SIZE),)
        facts = {"reads": (), "writes": (), "uses": (), kind: (self.storage,) if kind == "uses" else span}
        self.operation = cast(Operation, SimpleNamespace(**facts))
        self.waits.queued(self.operation)

    def _tell(self, early: Early, written: bool) -> None:
        self.told.append((early.byte, written))

    def touch(self, byte: int, wrote: bool | None) -> bool:
        address = self.storage.address + byte
        fault = SimpleNamespace(number=signal.SIGSEGV, address=address, wrote=wrote, calls=(2,))
        return self.waits.survived(cast(Fault, cast(Any, fault)))

    def ran(self, byte: int, *, wrote: bool) -> list[tuple[int, bool]]:
        """What is told when the work has touched a byte."""
        self.waits.touched(self.operation, Touched(self.storage.allocation, byte, byte, wrote))
        return self.told

    @property
    def allowed(self) -> int:
        return self.pages._protection


@pytest.mark.parametrize("wrote", [None, False])
def test_what_is_not_known_to_write_may_read_and_a_write_faults_again(wrote):
    run = Run("uses")

    assert run.touch(8, wrote) and run.allowed == pages.READ
    assert run.touch(8, None) and run.allowed == pages.READ | pages.WRITE
    assert run.ran(8, wrote=False) == [(8, False)], "the launch read what the host wrote"


@pytest.mark.parametrize("wrote", [None, False])
def test_a_read_of_what_a_launch_reads_is_nothing(wrote):
    run = Run("uses")

    assert run.touch(8, wrote)
    assert run.ran(8, wrote=False) == []
    assert run.ran(8, wrote=True) == [(8, True)], "and of what it writes it is too early"


@pytest.mark.parametrize("wrote", [None, False, True])
def test_what_is_to_be_written_nobody_may_touch(wrote):
    run = Run("writes")

    assert run.touch(8, wrote) and run.told == [(8, True)]
    assert run.allowed == pages.READ | pages.WRITE


@pytest.mark.parametrize("wrote", [None, True])
def test_where_reading_is_allowed_a_fault_is_a_write(wrote):
    run = Run("reads")

    assert run.allowed == pages.READ
    assert run.touch(8, wrote) and run.told == [(8, False)]


def test_a_known_write_opens_the_pages_at_once():
    run = Run("uses")

    assert run.touch(8, True) and run.allowed == pages.READ | pages.WRITE
    assert run.ran(8, wrote=False) == [(8, False)]
