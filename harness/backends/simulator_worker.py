"""The second process of the simulator: `python -P -m harness.backends.simulator_worker READ WRITE`.

It says when it is ready, then takes launches, each with the code of a case that it does not have yet, and answers each
with its outcome.
"""

from __future__ import annotations

import os
import sys

from harness import simt
from harness.backends.second import READY
from harness.backends.simulation import load, simulate
from harness.process import channel

__all__ = ["main"]


def main() -> None:
    """Serves until the channel closes."""
    incoming, outgoing = map(int, sys.argv[1:3])
    load()
    modules: dict[str, simt.Module] = {}
    try:
        channel.send(outgoing, READY)
        while True:
            wanted, code, files = channel.receive(incoming)
            if code is not None:
                modules[wanted.case] = simt.decode(code)
            channel.send(outgoing, simulate(wanted, modules[wanted.case], simt.observers, files))
    except channel.ClosedError:
        os._exit(0)


if __name__ == "__main__":
    main()
