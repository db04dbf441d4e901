"""Start a module of ours in a child, exchange messages with it over a `channel`, say how it ended; no sandbox."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any

from harness.process import channel
from harness.process.child import Limits, Piped
from harness.process.python import module_command

__all__ = ["Worker"]

_FATE_SECONDS = 5.0  # to end what it has left behind


class Worker(Piped):
    """`python -P -m MODULE READ WRITE ...`, started at once, and spoken to over a channel.

    Nothing of the working directory can be imported there. What it prints is shown only when something goes wrong.

    Args:
        module: Whose `__main__` it runs.
        arguments: Further arguments, after the descriptors.
        limits: What it may use.
        prefix: A command that runs it, such as a sanitizer's.
        environment: Further variables.
    """

    def __init__(
        self,
        module: str,
        arguments: Sequence[str] = (),
        *,
        limits: Limits | None = None,
        prefix: Sequence[str] = (),
        environment: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(limits)
        command, variables = module_command(module, *self.theirs, *arguments)
        self.start([*prefix, *command], {**(environment or {}), **variables})

    def send(self, message: Any) -> None:
        """Send one message, also while another thread receives; see `channel.send`."""
        with self._sending:
            channel.send(self._out, message)

    def receive(self, timeout_seconds: float | None = None) -> Any:
        """Receive one message; see `channel.receive`."""
        return channel.receive(self._in, timeout_seconds)

    def fate(self) -> str:
        """Return how it ended, for people, after it has closed its channel; waits up to `_FATE_SECONDS` for that."""
        return str(self.wait(_FATE_SECONDS) or "closed its channel")

    def noise(self, lines: int = 8) -> str:
        """Return the last lines that it printed; blank ones are left out."""
        return "\n".join([line for line in self.output().splitlines() if line.strip()][-lines:])

    def finish(self, timeout_seconds: float) -> bool:
        """Close the channel to the child, so that it ends by itself; return whether it did in time. Kills nothing."""
        if self._out >= 0:
            os.close(self._out)
            self._out = -1
        return self.wait(timeout_seconds) is not None
