"""A child process with a channel of its own, and nothing left over afterwards."""

from __future__ import annotations

import contextlib
import ctypes
import errno
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from harness.errors import EnvironmentFault
from harness.process import channel

__all__ = ["Child", "die_with_parent"]

_ROOT = Path(__file__).resolve().parent.parent.parent
_PR_SET_PDEATHSIG = 1
_KEEPER = "harness.process.reaper"
_KEEPER_SECONDS = 15.0  # to end what is below it


class Child:
    """`python -m MODULE READ_FD WRITE_FD`, started at once and killed by `close`.

    Its stdout and stderr go to a file, shown only when something goes wrong.

    Args:
        module: Whose `__main__` it runs.
        arguments: Further arguments, after the descriptors and the parent's id.
        prefix: A command that runs it, such as a sanitizer's. A keeper above both
            ends them (`harness.process.reaper`), so the child gets 0 as its parent.
        environment: Further variables.
    """

    def __init__(
        self,
        module: str,
        arguments: Sequence[str] = (),
        *,
        prefix: Sequence[str] = (),
        environment: Mapping[str, str] | None = None,
    ) -> None:
        if prefix and shutil.which(prefix[0]) is None:
            raise EnvironmentFault(f"cannot start {prefix[0]}: {os.strerror(errno.ENOENT)}.")
        theirs_in, self._out = os.pipe()
        self._in, theirs_out = os.pipe()
        self._log = tempfile.TemporaryFile()  # noqa: SIM115 - closed by `close`
        path = os.pathsep.join(filter(None, [str(_ROOT), os.environ.get("PYTHONPATH")]))
        parent = 0 if prefix else os.getpid()
        command = [sys.executable, "-m", module, str(theirs_in), str(theirs_out), str(parent), *arguments]
        self._kept = bool(prefix)
        if prefix:
            command = [sys.executable, "-m", _KEEPER, str(os.getpid()), *prefix, *command]
        try:
            self._process = subprocess.Popen(
                command,
                env={**os.environ, **(environment or {}), "PYTHONPATH": path},
                pass_fds=(theirs_in, theirs_out),
                stdin=subprocess.DEVNULL,
                stdout=self._log,
                stderr=self._log,
                start_new_session=True,  # Ctrl-C reaches the parent alone, which then ends the child
            )
        except OSError as error:
            for descriptor in (self._in, self._out):
                os.close(descriptor)
            self._log.close()
            raise EnvironmentFault(f"cannot start {sys.executable}: {error.strerror}.") from None
        finally:
            os.close(theirs_in)
            os.close(theirs_out)

    @property
    def pid(self) -> int:
        """The process id."""
        return self._process.pid

    def send(self, message: Any) -> None:
        """Sends one message; see `channel.send`."""
        channel.send(self._out, message)

    def receive(self, timeout_seconds: float | None = None) -> Any:
        """Receives one message; see `channel.receive`."""
        return channel.receive(self._in, timeout_seconds)

    def fate(self) -> str:
        """How it ended: a signal's name or its exit status."""
        try:
            status = self._process.wait(timeout=5.0)
        except subprocess.TimeoutExpired:
            return "closed its channel"
        if status < 0:
            with contextlib.suppress(ValueError):
                return f"was killed by {signal.Signals(-status).name}"
        return f"ended with status {status}"

    def noise(self, lines: int = 8) -> str:
        """The last lines that it printed."""
        self._log.seek(0)
        text = self._log.read().decode(errors="replace")
        return "\n".join([line for line in text.splitlines() if line.strip()][-lines:])

    def finish(self, timeout_seconds: float) -> bool:
        """Lets it end by itself, by closing its channel; False when it did not in time."""
        os.close(self._out)
        self._out = -1
        try:
            self._process.wait(timeout=timeout_seconds)
        except subprocess.TimeoutExpired:
            return False
        return True

    def close(self) -> None:
        """Kills it and waits for its end."""
        if self._kept:  # only the keeper finds what has left the process group
            self._process.terminate()
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._process.wait(_KEEPER_SECONDS)
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.kill()
        self._process.wait()
        for descriptor in (self._in, self._out):
            with contextlib.suppress(OSError):
                os.close(descriptor)
        self._in = self._out = -1
        self._log.close()


def die_with_parent(parent: int) -> None:
    """In a child: asks to be killed as soon as the parent is gone.

    A hung kernel does not notice a closed pipe, so the kernel of the operating
    system has to do it; where it cannot (macOS), the closed pipe must do.

    Args:
        parent: Its process id; 0 where a keeper sees to it.
    """
    if parent == 0:
        return
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:  # it went before the request
        os._exit(1)
