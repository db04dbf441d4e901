"""Start a process (`member`) for each worker that this host offers to a scheduler, and restart any that ends.

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
from harness.process.python import module_command

__all__ = ["serve"]

POLL_SECONDS = 0.2
MIN_PAUSE, MAX_PAUSE = 1.0, 30.0  # before one is started again: longer each time, unless it worked for a minute
STEADY_SECONDS = 60.0
Notify = Callable[[str], None]


@dataclass(slots=True)
class _WorkerProcess:
    """A worker's process, restarted when it ends."""

    order: str
    environment: dict[str, str]
    child: Child | None = None
    started: float = 0.0
    pause: float = MIN_PAUSE


def serve(address: str, offers: Sequence[Offer], port: int, notify: Notify = lambda _: None) -> None:
    """Run a worker process for each offer, and restart those that end; never return, and end all on any exception.

    Args:
        address: From `connect.check_address`.
        offers: The workers of this host.
        port: That the first worker listens on, the next one on the next; 0 for any.
        notify: Gets a line when a worker has ended, before it is started again.

    Raises:
        UsageError: A worker exited as refused: a scheduler that others can reach, or certificates that are missing.
    """
    workers = [
        _WorkerProcess(
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
            for worker in workers:
                _restart_if_ended(worker, address, notify)
            time.sleep(POLL_SECONDS)
    finally:
        for worker in workers:
            if worker.child:
                worker.child.close()


def _restart_if_ended(worker: _WorkerProcess, address: str, notify: Notify) -> None:
    """Start the worker if it is not running and its pause is over, or notice its end and notify of it. Never wait.

    Each end doubles the pause, up to `MAX_PAUSE`; an end after `STEADY_SECONDS` of work resets it to `MIN_PAUSE`.

    Raises:
        UsageError: The worker ended with the code `USAGE`, since its scheduler is unsafe, or certificates are missing.
            A worker whose certificate the scheduler refuses is started again, like all others.
    """
    now = time.monotonic()
    if worker.child is None:
        if now - worker.started >= worker.pause or not worker.started:
            worker.child, worker.started = _start(worker, address), now
        return
    process_exit = worker.child.wait(0.0)
    if process_exit is None:
        return
    worker.child.close()
    worker.child = None
    if process_exit.status == exit_code.USAGE:
        raise UsageError("a worker was refused, for the reason above.")
    worker.pause = MIN_PAUSE if now - worker.started > STEADY_SECONDS else min(2 * worker.pause, MAX_PAUSE)
    worker.started = now
    notify(f"a worker {process_exit}: starting it again in {worker.pause:.0f} s")


def _start(worker: _WorkerProcess, address: str) -> Child:
    """Start a worker; its output goes to this process's stderr."""
    with contextlib.ExitStack() as descriptors:
        streams = [os.open(os.devnull, os.O_RDONLY), os.dup(sys.stderr.fileno()), os.dup(sys.stderr.fileno())]
        for descriptor in streams:
            descriptors.callback(os.close, descriptor)
        child = Child(descriptors=streams)
        command, variables = module_command(member.__name__, address, worker.order)
        child.start(command, {**worker.environment, **variables}, streams)
        return child
