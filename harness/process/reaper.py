"""Runs a command and outlives it: `python -m harness.process.reaper PARENT COMMAND...`.

A tool that starts the worker itself does so through launchers of its own, which may
leave its process group and hand the worker from one parent to the next.  The keeper
stands above them all and inherits whoever loses its parent.  When the command ends,
when the harness dies, or on SIGTERM it kills everything below itself.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import NoReturn

__all__ = ["below", "main"]

_PR_SET_PDEATHSIG = 1
_PR_SET_CHILD_SUBREAPER = 36
END_SECONDS = 10.0  # a process that waits for a device cannot be killed until it is done


def main() -> NoReturn:
    """Runs the command with this process's own files; ends as it ended."""
    parent, command = int(sys.argv[1]), sys.argv[2:]
    signal.signal(signal.SIGTERM, lambda *_: _end(128 + signal.SIGTERM))
    if sys.platform == "linux":
        system = ctypes.CDLL(None)
        system.prctl(_PR_SET_CHILD_SUBREAPER, 1)
        system.prctl(_PR_SET_PDEATHSIG, signal.SIGTERM)
    if os.getppid() != parent:  # it went before the request
        _end(1)
    try:
        process = subprocess.Popen(command, close_fds=False)
    except OSError as error:
        sys.exit(f"cannot start {command[0]}: {error.strerror}")
    while True:
        pid, status = os.wait()
        if pid == process.pid:
            _end(os.waitstatus_to_exitcode(status))


def below(pid: int) -> list[int]:
    """The processes that a process started, theirs and so on; none where there is no `/proc`."""
    children: dict[int, list[int]] = {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            # After the name, which may hold anything, come state and parent.
            parent = int(stat.read_text().rpartition(")")[2].split()[1])
            children.setdefault(parent, []).append(int(stat.parent.name))
    found, left = [], [pid]
    while left:
        mine = children.get(left.pop(), [])
        found += mine
        left += mine
    return found


def _end(code: int) -> NoReturn:
    """Kills everything below this process, again until nothing is left, and ends."""
    deadline = time.monotonic() + END_SECONDS
    while (pids := below(os.getpid())) and time.monotonic() < deadline:
        for pid in pids:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.kill(pid, signal.SIGKILL)
        with contextlib.suppress(ChildProcessError):
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
        time.sleep(0.01)
    if code < 0:  # as the command did: by a signal
        with contextlib.suppress(OSError):  # SIGKILL has no other meaning
            signal.signal(-code, signal.SIG_DFL)
        os.kill(os.getpid(), -code)
    os._exit(code)


if __name__ == "__main__":
    main()
