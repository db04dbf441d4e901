"""What is done on a thread of its own: the last wish, and none that was overtaken."""

from __future__ import annotations

import queue
import threading
from collections.abc import Iterator

import pytest

from harness.learning.latest import LatestRequestWorker


class Worker:
    """Something to do that waits until it is free, and what came of it."""

    def __init__(self) -> None:
        self.begun, self.free = queue.SimpleQueue[int](), threading.Event()
        self.done = queue.SimpleQueue[int]()
        self.latest = LatestRequestWorker(self._act)

    def _act(self, number: int) -> None:
        self.begun.put(number)
        assert self.free.wait(10), number
        self.latest.stop_if_superseded("a build begins")
        if number < 0:
            raise ValueError(number)
        self.done.put(number)


@pytest.fixture
def worker() -> Iterator[Worker]:
    worker = Worker()
    yield worker
    worker.latest.close()


def test_of_what_waits_only_the_last_is_done(worker):
    worker.latest.request(1)
    assert worker.begun.get(timeout=10) == 1
    worker.latest.request(2)
    worker.latest.request(3)
    worker.free.set()

    assert worker.done.get(timeout=10) == 3
    assert worker.begun.get(timeout=10) == 3, "2 was never begun, and 1 did not go on"


def test_what_fails_is_shown_and_the_next_is_done(worker, capsys):
    worker.free.set()
    worker.latest.request(-1)
    assert worker.begun.get(timeout=10) == -1
    worker.latest.request(4)

    assert worker.done.get(timeout=10) == 4
    assert "ValueError: -1" in capsys.readouterr().err
