"""A worker thread that serves one request at a time; a newer one replaces the waiting and ends the running one."""

from __future__ import annotations

import queue
import threading
import traceback
from collections.abc import Callable
from typing import Generic, TypeVar

__all__ = ["LatestRequestWorker"]

T = TypeVar("T")


class LatestRequestWorker(Generic[T]):
    """Serves requests one at a time, on a thread of its own; a new request replaces the one that waits.

    Args:
        act: Serves a request. It calls `stop_if_superseded` now and then, which ends it if there is a newer one. Any
            other exception is a defect: its traceback is printed, and the next request is served.
    """

    def __init__(self, act: Callable[[T], object]) -> None:
        self._act = act
        self._requests: queue.SimpleQueue[tuple[T] | None] = queue.SimpleQueue()
        threading.Thread(target=self._work, daemon=True).start()

    def request(self, item: T) -> None:
        """Queue a request; it replaces the waiting one, and the running one ends at its next `stop_if_superseded`."""
        self._requests.put((item,))

    def stop_if_superseded(self, *_: object) -> None:
        """Return if nothing newer is requested; otherwise, or after `close`, end the running `act` by an exception."""
        if not self._requests.empty():
            raise _Superseded

    def close(self) -> None:
        """Let the thread end, without waiting for it.

        The running request ends at its next `stop_if_superseded`; one that waits is dropped.
        """
        self._requests.put(None)

    def _work(self) -> None:
        while request := self._requests.get():
            try:
                self.stop_if_superseded()
                self._act(*request)
            except _Superseded:
                pass
            except Exception:  # the thread would end, and do nothing any more without a word
                traceback.print_exc()


class _Superseded(Exception):
    """A newer request waits."""
