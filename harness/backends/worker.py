"""The child that runs kernels: `python -P -m harness.backends.worker READ WRITE cpu|gpu`.

It takes one order for each launch and answers with what that left behind, once
for each kind of memory.  Before every phase that could hang it says which one
begins, so that the parent can name it when nothing more comes.
"""

from __future__ import annotations

import os
import sys
from concurrent.futures import ThreadPoolExecutor

from harness.backends.engine import MaxEngine, reason
from harness.backends.protocol import LaunchReply, Phase
from harness.process import channel

__all__ = ["main"]


def main() -> None:
    """Serves launches until the channel closes or a launch fails."""
    incoming, outgoing = map(int, sys.argv[1:3])
    try:
        engine = MaxEngine(0 if sys.argv[3] == "gpu" else None)
    except Exception as error:  # MAX is missing, or finds no such device: below it come hints on how to debug it
        sys.exit(f"{type(error).__name__}: {reason(error)}")
    channel.send(outgoing, engine.ready)
    pool = ThreadPoolExecutor(1)
    coming = pool.submit(channel.receive, incoming)
    while True:
        try:
            order = coming.result()
        except channel.ClosedError:
            break
        coming = pool.submit(channel.receive, incoming)  # the next one comes while this one is executed
        try:
            for answer in engine.launch(order, lambda name: channel.send(outgoing, Phase(name))):
                channel.send(outgoing, answer)
        except Exception as error:  # MAX has no errors of its own for a fault of the device
            # Such a fault stays with the process: the parent starts another.
            channel.send(outgoing, LaunchReply(error=reason(error), phase=engine.phase))
            break
    os._exit(0)  # the runtime's own shutdown synchronises with a device that may be faulty


if __name__ == "__main__":
    main()
