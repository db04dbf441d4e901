"""A thread that does what it was asked for last."""

from __future__ import annotations

import queue
import threading
import traceback
from collections.abc import Callable
from typing import Generic, TypeVar

__all__ = ["Latest"]

T = TypeVar("T")


class Latest(Generic[T]):
    """Does what it was asked for, one at a time; of what waits meanwhile only the last.

    Args:
        act: Does it, on a thread of its own; asks `go_on` now and then. What else it raises is a fault of ours, shown
            as one: what is wanted next is done all the same.
    """

    def __init__(self, act: Callable[[T], object]) -> None:
        self._act = act
        self._wanted: queue.SimpleQueue[tuple[T] | None] = queue.SimpleQueue()
        threading.Thread(target=self._work, daemon=True).start()

    def want(self, what: T) -> None:
        """Asks for something, in place of what waits and of what is done now."""
        self._wanted.put((what,))

    def go_on(self, *_: object) -> None:
        """Ends what is done now where something else is wanted: it raises what `act` need not know."""
        if not self._wanted.empty():
            raise _Overtaken

    def close(self) -> None:
        """Ends the thread."""
        self._wanted.put(None)

    def _work(self) -> None:
        while wanted := self._wanted.get():
            try:
                self.go_on()
                self._act(*wanted)
            except _Overtaken:
                pass
            except Exception:  # the thread would end, and do nothing any more without a word
                traceback.print_exc()


class _Overtaken(Exception):
    """Something else is wanted."""
