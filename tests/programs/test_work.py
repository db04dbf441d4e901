"""`harness.programs.host.work`: the order in which queued work is done."""

from __future__ import annotations

from typing import Any

import pytest

from harness.programs.host.abi import HostError
from harness.programs.host.checks import Checks
from harness.programs.host.queue import Event, Operation
from harness.programs.host.work import Work

CHAIN = 800  # streams, each waiting for the one before


@pytest.mark.slow
def test_long_chains_of_streams_that_wait_for_each_other_are_done_in_order():
    done: list[int] = []
    work = Work(Checks(lambda kind, facts: None, {}), eager=False)
    before = None
    for number in range(CHAIN):
        stream, event = work.new_stream("cuda"), Event()
        if before is not None:
            work.record(before, event)
            work.follow(stream, event)
        work.queue(stream, "number", lambda _, number=number: done.append(number))  # type: ignore[misc]
        before = stream
    assert before is not None
    work.wait(before)

    assert done == list(range(CHAIN))


def test_a_stream_waits_for_an_event_as_it_was_recorded_then():
    done: list[Any] = []
    work = Work(Checks(lambda kind, facts: None, {}), eager=False)
    first, second, event = work.new_stream("cuda"), work.new_stream("cuda"), Event()
    work.queue(first, "a", lambda _: done.append("a"))
    work.record(first, event)
    work.follow(second, event)
    work.queue(first, "b", lambda _: done.append("b"))
    work.record(first, event)
    work.queue(second, "c", lambda _: done.append("c"))
    work.wait(second)

    assert done == ["a", "c"]


@pytest.mark.parametrize("eager", [False, True])
@pytest.mark.parametrize("recorded", [False, True])
def test_a_device_that_failed_does_no_more_work(eager: bool, recorded: bool):
    """Who waits gets the error, for an event as for a stream; freeing, which is queued all the same, is not done."""
    done: list[str] = []
    work = Work(Checks(lambda kind, facts: None, {}), eager=eager)
    failing, other, event = work.new_stream("cuda"), work.new_stream("cuda"), Event()

    def fail(_: Operation) -> None:
        raise HostError("the device is lost")

    if not eager:
        work.queue(other, "", lambda _: done.append("before the event"))
    if recorded:
        work.record(other, event)
    with pytest.raises(HostError, match="is lost"):
        work.queue(failing, "kernel", fail)
        work.wait(failing)
    work.queue(other, "", lambda _: done.append("freeing"))
    with pytest.raises(HostError, match="is lost"):
        work.wait_for(event)

    assert done == []
