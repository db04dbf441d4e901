"""The workers of a host, each a process of its own that is started again when it ends.

A GPU's worker sees that GPU alone; a worker that is killed takes nobody along; and when the scheduler is restarted,
all of them come back to it.
"""

from __future__ import annotations

import contextlib
import json
import os
import socket
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from harness.cluster import member
from harness.cluster.resources import Offer
from harness.errors import UsageError
from harness.model import exit_code
from harness.process.child import Child
from harness.process.python import python_module

__all__ = ["serve"]

LOOK_SECONDS = 0.2
FIRST_PAUSE, LAST_PAUSE = 1.0, 30.0  # before one is started again: longer each time, unless it worked for a minute
STEADY_SECONDS = 60.0
Notify = Callable[[str], None]


@dataclass(slots=True)
class _Place:
    """A worker that is kept alive."""

    order: str
    environment: dict[str, str]
    child: Child | None = None
    started: float = 0.0
    pause: float = FIRST_PAUSE


def serve(address: str, offers: Sequence[Offer], port: int, notify: Notify = lambda _: None) -> None:
    """Works for a scheduler until this process is ended.

    Args:
        address: From `connect.checked`.
        offers: What this host is to be.
        port: That the first worker listens on, the next one on the next; 0 for any.
        notify: Gets a line when one is started again.

    Raises:
        UsageError: A worker was refused: a scheduler that others can reach, or certificates that are missing.
    """
    places = [
        _Place(
            json.dumps(
                {
                    "name": f"{offer.device} of {socket.gethostname()}, process {os.getpid()}",
                    "slots": offer.slots,
                    "resources": offer.resources,
                    "port": port + number if port else 0,
                }
            ),
            dict(offer.environment),
        )
        for number, offer in enumerate(offers)
    ]
    try:
        while True:
            for place in places:
                _kept(place, address, notify)
            time.sleep(LOOK_SECONDS)
    finally:
        for place in places:
            if place.child:
                place.child.close()


def _kept(place: _Place, address: str, notify: Notify) -> None:
    now = time.monotonic()
    if place.child is None:
        if now - place.started >= place.pause or not place.started:
            place.child, place.started = _started(place, address), now
        return
    ended = place.child.wait(0.0)
    if ended is None:
        return
    place.child.close()
    place.child = None
    if ended.status == exit_code.USAGE:
        raise UsageError("a worker was refused, for the reason above.")
    place.pause = FIRST_PAUSE if now - place.started > STEADY_SECONDS else min(2 * place.pause, LAST_PAUSE)
    place.started = now
    notify(f"a worker {ended}: starting it again in {place.pause:.0f} s")


def _started(place: _Place, address: str) -> Child:
    """A worker; what it prints goes where this process's errors go."""
    with contextlib.ExitStack() as opened:
        streams = [os.open(os.devnull, os.O_RDONLY), os.dup(sys.stderr.fileno()), os.dup(sys.stderr.fileno())]
        for descriptor in streams:
            opened.callback(os.close, descriptor)
        child = Child(descriptors=streams)
        command, variables = python_module(member.__name__, address, place.order)
        child.start(command, {**place.environment, **variables}, streams)
        return child
