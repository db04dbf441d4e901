"""The child that runs kernels: `python -P -m harness.backends.worker READ WRITE cpu|gpu`.

It takes one order for each launch and answers with what that left behind, once
for each kind of memory.  Before every phase that could hang it says which one
begins, so that the parent can name it when nothing more comes.
"""

from __future__ import annotations

import os
import sys
import traceback
from functools import partial
from queue import Queue, SimpleQueue
from threading import Thread

from harness.backends.engine import MaxEngine, reason
from harness.backends.protocol import LaunchOrder, LaunchReply, Phase
from harness.process import channel

__all__ = ["main"]

# The engine makes page-locked memory for more than `Staging` takes, unless told, and needs half a second for it.
PAGE_LOCKED = "MODULAR_DEVICE_CONTEXT_HOST_MEMORY_MANAGER_SIZE", str(1 << 27)

OWN = "copy in", "prepare", "copy out"  # phases in which nothing runs that others wrote


def main() -> None:
    """Serves launches until the channel closes or a launch fails."""
    incoming, outgoing = map(int, sys.argv[1:3])
    os.environ.setdefault(*PAGE_LOCKED)
    try:
        engine = MaxEngine(0 if sys.argv[3] == "gpu" else None)
    except Exception as error:  # MAX is missing, or finds no such device: below it come hints on how to debug it
        sys.exit(f"{type(error).__name__}: {reason(error)}")
    channel.send(outgoing, engine.ready)
    answers = _Answers(outgoing)
    orders: SimpleQueue[LaunchOrder | None] = SimpleQueue()
    Thread(target=_received, args=(incoming, orders), daemon=True).start()
    while order := orders.get():
        begin = partial(_begin, answers, known=engine.knows(order))
        try:
            for answer in engine.launch(order, begin):
                answers.put(answer)
        except Exception as error:  # MAX has no errors of its own for a fault of the device
            # Such a fault stays with the process: the parent starts another.
            answers.put(LaunchReply(error=reason(error), phase=engine.phase))
            break
    answers.sent()
    os._exit(0)  # the runtime's own shutdown synchronises with a device that may be faulty


class _Answers:
    """Sends messages, one after another, while the next order is prepared."""

    def __init__(self, outgoing: int) -> None:
        self._outgoing, self._left = outgoing, Queue[object]()
        Thread(target=self._send, daemon=True).start()

    def put(self, message: object) -> None:
        """Sends it when those before it are sent."""
        self._left.put(message)

    def sent(self) -> None:
        """Waits until all are sent."""
        self._left.join()

    def _send(self) -> None:
        while True:
            try:
                channel.send(self._outgoing, self._left.get())
            except channel.ClosedError:  # nobody waits for them any more
                os._exit(0)
            except Exception:  # whoever waits for it is told that this process has ended, and what it printed
                traceback.print_exc()
                os._exit(1)
            self._left.task_done()


def _begin(answers: _Answers, phase: str, *, known: bool) -> None:
    """A phase begins; one that may end this process when it is told, and all before it."""
    answers.put(Phase(phase))
    if phase not in (*OWN, "load" if known else ""):
        answers.sent()


def _received(incoming: int, orders: SimpleQueue[LaunchOrder | None]) -> None:
    """Takes the next orders while one is executed; None is the last."""
    try:
        while True:
            orders.put(channel.receive(incoming))
    except channel.ClosedError:
        pass
    finally:
        orders.put(None)


if __name__ == "__main__":
    main()
