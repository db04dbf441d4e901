"""`InChild` sends a `MaxBackend`'s launches to a child process, with time limits; it replaces a faulty or hung child.

This process stays light and never imports `max`. The child starts as soon as it
is begun, and again after a fault or a hang.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, suppress
from threading import Event, Lock, RLock
from typing import NoReturn

from harness.backends import devices
from harness.backends.ahead import start_worker
from harness.backends.base import Failure, Request
from harness.backends.protocol import LaunchOrder, LaunchReply, Phase, Ready
from harness.errors import EnvironmentFault
from harness.model.target import Target
from harness.model.verdict import Verdict
from harness.process import channel
from harness.process.worker import Worker

__all__ = ["InChild"]

START_SECONDS = 120.0
LOAD_SECONDS = 60.0  # of every phase but the launch
LAUNCH_SECONDS = 10.0  # unless the request has a limit of its own
# A driver that clears up after a worker which was killed may say for a moment that there is no GPU.
RESTARTS, PAUSE_SECONDS = 3, 1.0


class InChild:
    """A worker that is started when it is wanted.

    Several threads may ask it. It executes one order after another; the next ones are sent meanwhile.

    Args:
        target: Whose GPU it is to find, or None for the host CPU.
        device: The number of the GPU.
        start: Makes the worker of a kind, `cpu` or `gpu`, in an environment that
            shows it that GPU alone.
    """

    copies = 3  # as given, in the worker, and as they come back

    def __init__(
        self,
        target: Target | None,
        device: int = 0,
        start: Callable[[str, Mapping[str, str]], Worker] | None = None,
    ) -> None:
        self._kind = "cpu" if target is None else "gpu"
        self._environment = devices.restrict_to_gpu(target.vendor, device) if target else {}
        self._start = start or start_worker
        self._ready: Ready | None = None  # outlives the worker: a fault must not cost a start to tell the name
        self._worker: Worker | None = None
        self._started = self._closed = False
        self._state = RLock()
        self._sending = Lock()
        self._before = Event()  # set when the last order that was sent has its answer
        self._before.set()

    def begin(self) -> None:
        """Start the worker if there is none, without waiting for its engine; EnvironmentFault after `close`."""
        self._ensure_worker()

    def ready(self) -> Ready:
        """Return the device, as the first worker told it; waits for the engine if none has told it yet.

        Raises:
            EnvironmentFault: The engine does not start, or was closed.
        """
        return self._ready or self._ensure_ready()

    def exchange(self, order: LaunchOrder, request: Request) -> list[LaunchReply | Failure]:
        """Send an order and return its replies, one for each kind of memory; a failure is the last, and names its
        phase.

        After a failure the worker is ended. Threads that call at once take turns.

        Raises:
            EnvironmentFault: The engine does not start, or was closed.
        """
        with ExitStack() as ends:
            with self._sending:  # in the order in which they are executed
                before, self._before = self._before, Event()
                ends.callback(self._before.set)
                ends.callback(before.wait)  # first, also where nothing was sent
                worker = self._send(order)
            before.wait()
            if worker is not self._worker:  # it has ended with an order before
                worker = self._send(order)
            replies = list(self._follow(worker, order, request))
            if isinstance(replies[-1], Failure) or replies[-1].error:
                self.restart()
            return replies

    def close(self) -> None:
        """End the worker for good: the launch under way gets a failure, waiting and later ones an EnvironmentFault."""
        self._closed = True
        self.restart()

    def restart(self) -> None:
        """End the worker, if there is one; a launch under way gets a failure, and the next one starts another."""
        with self._state:
            worker, self._worker, self._started = self._worker, None, False
        if worker is not None:
            worker.close()

    def _ensure_worker(self) -> Worker:
        """Return the worker, started if there is none; EnvironmentFault after `close`."""
        with self._state:
            if self._closed:
                raise EnvironmentFault("the MAX engine was asked for a launch after its end")
            if self._worker is None:
                self._worker = self._start(self._kind, self._environment)
            return self._worker

    def _send(self, order: LaunchOrder) -> Worker:
        """Send an order to a ready worker and return it; one that is gone is returned too, and will not answer.

        EnvironmentFault if no worker gets ready, or after `close`.
        """
        with self._state:
            self._ensure_ready()
            worker = self._ensure_worker()
        with suppress(channel.ClosedError):
            worker.send(order)
        return worker

    def _ensure_ready(self) -> Ready:
        """Start the worker if there is none, and wait for its device; EnvironmentFault if it does not start.

        It is tried once, but a worker that ends before it is ready is replaced up to `RESTARTS` times if an earlier one
        was ready.
        """
        with self._state:
            restarts = RESTARTS if self._ready else 0  # the first one says whether there is a GPU at all
            while not self._started or self._ready is None:
                worker = self._ensure_worker()
                try:
                    self._ready = worker.receive(START_SECONDS)
                    self._started = True
                except channel.TimeUpError:
                    self._give_up(worker, f"did not start within {START_SECONDS:.0f} s, the limit")
                except (channel.ClosedError, channel.GarbageError):
                    if not restarts:
                        self._give_up(worker, worker.fate())
                    restarts -= 1
                    self.restart()
                    time.sleep(PAUSE_SECONDS)
            return self._ready

    def _give_up(self, worker: Worker, how: str) -> NoReturn:
        noise = worker.noise()
        self.restart()
        last = noise.splitlines()[-1] if noise else "it printed nothing"
        raise EnvironmentFault(f"the MAX engine {how}: {last}")

    def _follow(self, worker: Worker, order: LaunchOrder, request: Request) -> Iterator[LaunchReply | Failure]:
        """Yield a worker's replies to an order, up to one for each fill; a failure, or a reply with an error, is the
        last. A failure is a TIMEOUT, or a LAUNCH_ERROR if the worker ended or sent anything else. Ending it is left to
        the caller.

        The time limit of the phases `execute` and `repeat` is the request's, or else `LAUNCH_SECONDS`; that of the
        others is `LOAD_SECONDS`.
        """
        phase, limit, remaining = "start", LOAD_SECONDS, len(order.fills)
        who = request.case.kernel_names
        try:
            while remaining:
                match worker.receive(limit):
                    case Phase(phase):
                        launches = phase in ("execute", "repeat")
                        limit = request.time_limit_seconds or LAUNCH_SECONDS if launches else LOAD_SECONDS
                    case LaunchReply() as reply:
                        remaining = 0 if reply.error else remaining - 1
                        yield reply
                    case _:
                        raise channel.GarbageError
        except channel.TimeUpError:
            yield Failure(Verdict.TIMEOUT, f"{who} did not end within {limit:g} s, the limit (phase: {phase})")
        except channel.ClosedError:
            fate, noise = worker.fate(), worker.noise()
            yield Failure(
                Verdict.LAUNCH_ERROR, f"{who}: its process {fate} (phase: {phase})" + (noise and f"\n{noise}")
            )
        except channel.GarbageError:
            yield Failure(Verdict.LAUNCH_ERROR, f"{who}: its process sent no valid message (phase: {phase})")
