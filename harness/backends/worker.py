"""The child process of `in_child`: take launch orders over a channel, run them on a `MaxEngine`, send the replies.

It is started as `python -P -m harness.backends.worker READ WRITE cpu|gpu`, takes one order for each launch and answers
once for each kind of memory. Before every phase that could hang it says which one begins, so that the parent can name
it when nothing more comes.
"""

from __future__ import annotations

import os
import sys
from queue import SimpleQueue
from threading import Thread

from harness.backends.engine import MaxEngine, format_reason
from harness.backends.protocol import LaunchOrder, LaunchReply, Phase
from harness.process import channel

__all__ = ["main"]

# The engine makes page-locked memory for more than `Staging` takes, unless told, and needs half a second for it.
PAGE_LOCKED = "MODULAR_DEVICE_CONTEXT_HOST_MEMORY_MANAGER_SIZE", str(1 << 27)


def main() -> None:
    """Send the device, then serve launches until the channel closes or a launch fails; ends the process with status 0.

    A failed launch is answered with its error. If the engine does not start, the status is 1, with the reason on
    stderr.
    """
    incoming, outgoing = map(int, sys.argv[1:3])
    os.environ.setdefault(*PAGE_LOCKED)
    try:
        engine = MaxEngine(0 if sys.argv[3] == "gpu" else None)
    except Exception as error:  # MAX is missing, or finds no such device: below it come hints on how to debug it
        sys.exit(f"{type(error).__name__}: {format_reason(error)}")
    channel.send(outgoing, engine.ready)
    orders: SimpleQueue[LaunchOrder | None] = SimpleQueue()
    Thread(target=_received, args=(incoming, orders), daemon=True).start()
    while order := orders.get():
        try:
            for answer in engine.launch(order, lambda name: channel.send(outgoing, Phase(name))):
                channel.send(outgoing, answer, lend=True)
        except Exception as error:  # MAX has no errors of its own for a fault of the device
            # Such a fault stays with the process: the parent starts another.
            channel.send(outgoing, LaunchReply(error=format_reason(error), phase=engine.phase))
            break
    os._exit(0)  # the runtime's own shutdown synchronises with a device that may be faulty


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
