"""`MaxBackend` runs compiled graphs, `max` on a GPU or `cpu` for the reference, over a `Transport` to an engine.

There are two transports: `in_child` and `in_process`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from harness.backends import launch
from harness.backends.base import Failure, Outcome, Request
from harness.backends.memory_limit import find_memory_failure
from harness.backends.protocol import LaunchOrder, LaunchReply, Ready
from harness.build.graphs import Graphs
from harness.model.target import Target

__all__ = ["MaxBackend", "Transport"]


class Transport(Protocol):
    """Carries orders to an engine, and its replies back: to a child (`in_child`) or within this process.

    Attributes:
        copies: Of a launch's buffers, how many are made in this machine's memory.
    """

    copies: int

    def begin(self) -> None:
        """Begin to start the engine, without waiting for it."""
        ...

    def ready(self) -> Ready:
        """Return the engine's device, when it has started.

        Raises:
            EnvironmentFault: It does not start.
        """
        ...

    def exchange(self, order: LaunchOrder, request: Request) -> Sequence[LaunchReply | Failure]:
        """Launch on each kind of memory, up to a failure: then the next order has another engine, or none."""
        ...

    def close(self) -> None:
        """End what it started for itself."""
        ...


class MaxBackend:
    """Executes compiled graphs.

    Args:
        target: What they were built for, or None for the reference on the host CPU.
        graphs: The artifacts.
        transport: Reaches an engine on the device.
    """

    def __init__(self, target: Target | None, graphs: Graphs, transport: Transport) -> None:
        self.name = "cpu" if target is None else "max"
        self.executes_kernel = target is not None
        self._target, self._graphs, self._transport = target, graphs, transport
        if graphs.artifacts:
            transport.begin()

    @property
    def device(self) -> str:
        """Return the device's name for people; waits for the engine, and raises EnvironmentFault if it does not start.

        A fixed text, without waiting, for the host CPU, and where no kernel was compiled.
        """
        if self._target is None:
            return "host CPU, sequential reference"
        if not self._graphs.artifacts:
            return "no kernel was compiled"
        ready = self._transport.ready()
        return f"{ready.name} ({ready.architecture})"

    def launch(self, request: Request) -> Outcome:
        """Execute one request. Faults, hangs and buffers that do not fit into memory are failures in the outcome.

        Raises:
            ArtifactError: The device does not fit the target, or the sizes and
                the launch are not those of the build.
            EnvironmentFault: MAX does not start.
            UsageError: A tensor of the request cannot be used in place.
        """
        if failure := find_memory_failure(request, self._transport.copies):
            return Outcome(failure=failure)
        order = launch.make_order(request, self._graphs.artifacts[request.case.id], self._graphs.around)
        launch.require_fit(self._target, self._transport.ready())
        return launch.make_outcome(request, self._transport.exchange(order, request))

    def close(self) -> None:
        """Ends the child, if it runs in one."""
        self._transport.close()
