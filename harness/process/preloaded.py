"""Fork children from a Python that has imported their module: the server, its client, and handles of the reapers.

    python -P -m harness.process.preloaded SOCKET MODULE

The server imports the module once. For each child that is requested it forks the reaper, and below that the command:
a fork, not a start of Python and the module's half second. It holds nothing of the requests, and ends when no client is
left. The children have no way back to it: its descriptors are closed, and no other process of the same user can read
or trace it. In a sandbox `fork_server` does this.

For Linux alone: elsewhere a process with libraries may not go on after a fork.
"""

from __future__ import annotations

import atexit
import gc
import importlib
import marshal
import os
import select
import signal
import socket
import subprocess
import sys
import threading
import traceback
from collections.abc import Sequence
from contextlib import suppress
from typing import Any, NoReturn

from harness.process import reaper
from harness.process.python import module_command

__all__ = ["ForkedReaper", "close", "fork_reaper", "main", "preload"]

_PR_SET_DUMPABLE = 4
_END_SECONDS = 5.0
_MOST_DESCRIPTORS = 64
_STANDARD = 3
_servers: dict[str, _Server] = {}
_fork_lock = threading.Lock()


class ForkedReaper:
    """A reaper that was forked; like a `subprocess.Popen`, as far as `harness.process.child` asks."""

    def __init__(self, pid: int, alive: int) -> None:
        self.pid, self._alive = pid, alive

    def wait(self, timeout: float | None = None) -> None:
        """Wait for its end; return at once if it was awaited before.

        Raises:
            subprocess.TimeoutExpired: It did not come in that many seconds.
        """
        if self._alive >= 0:
            if not select.select([self._alive], [], [], timeout)[0]:  # its end of the pipe is the only one
                raise subprocess.TimeoutExpired(["reaper"], timeout or 0.0)
            os.close(self._alive)
            self._alive = -1

    def terminate(self) -> None:
        """Ask it to end."""
        self.send_signal(signal.SIGTERM)

    def kill(self) -> None:
        """End it."""
        self.send_signal(signal.SIGKILL)

    def send_signal(self, number: int) -> None:
        """Send it a signal, unless it has ended."""
        if self._alive >= 0 and not select.select([self._alive], [], [], 0)[0]:  # else the number may be another's
            with suppress(ProcessLookupError):
                os.kill(self.pid, number)


class _Server:
    """The process that forks."""

    def __init__(self, module: str, command: Sequence[str], environment: dict[str, str]) -> None:
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with theirs:
            self._process = subprocess.Popen(
                [*command, str(theirs.fileno()), module],
                env={**os.environ, **environment},
                pass_fds=(theirs.fileno(),),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                start_new_session=True,
            )
        self._socket = ours

    def fork(self, folder: str, descriptors: Sequence[int]) -> int:
        """Fork a new reaper, and return its process id.

        Args:
            folder: Of the command that the reaper runs.
            descriptors: The reaper's lifeline, status, log and what says that it is alive, then those that the command
                is to have. They get the same numbers there; the caller's own stay open.

        Raises:
            OSError: The server is gone.
        """
        request = marshal.dumps((folder, list(descriptors)))
        socket.send_fds(self._socket, [request], list(descriptors))
        if not (reply := self._socket.recv(64)):
            raise OSError("the process that forks has ended")
        return int(reply)

    def close(self) -> None:
        self._socket.close()
        try:
            self._process.wait(_END_SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()


def preload(module: str) -> None:
    """Begin to load a module into a fork server; does nothing where nothing can be forked."""
    if reaper.LINUX:
        with _fork_lock, suppress(OSError):
            _server(module)


def fork_reaper(
    module: str, folder: str, own_descriptors: tuple[int, int, int], descriptors: Sequence[int]
) -> ForkedReaper | None:
    """Fork a reaper (`harness.process.reaper`) whose command is `module.begin(arguments)`, in a fork with the module.

    It starts the module's fork server if none runs; that goes on until `close`.

    Args:
        module: Its `begin` takes the arguments of the reaper's order, after `-m MODULE`, and does not return.
        folder: The process's folder.
        own_descriptors: The reaper's lifeline, its status, and where what is printed goes.
        descriptors: Those that the process is to have, by the same numbers.

    Returns:
        None where nothing can be forked: outside Linux, with over 60 descriptors, or if the fork server ended twice.
    """
    if not reaper.LINUX or len(descriptors) + 4 > _MOST_DESCRIPTORS:
        return None
    alive, theirs = os.pipe()
    try:
        with _fork_lock:
            for _ in range(2):  # somebody may have ended the first
                try:
                    pid = _server(module).fork(folder, (*own_descriptors, theirs, *descriptors))
                    return ForkedReaper(pid, os.dup(alive))
                except OSError:
                    _drop(module)
                except BaseException:  # Ctrl-C: its answer would be taken for that of the next request
                    _drop(module)
                    raise
    finally:
        os.close(alive)
        os.close(theirs)
    return None


def _server(module: str) -> _Server:
    if module not in _servers:
        command, variables = module_command(__name__)
        _servers[module] = _Server(module, command, variables)
    return _servers[module]


def _drop(module: str) -> None:
    if server := _servers.pop(module, None):
        server.close()


def close() -> None:
    """End the fork servers; what they have forked goes on."""
    with _fork_lock:
        while _servers:
            _servers.popitem()[1].close()


atexit.register(close)
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_servers.clear)  # they are its parent's: two that ask would mix up the answers


def main() -> NoReturn:
    """Fork on request until the socket closes, then exit the process.

    A request is a folder and descriptors; its answer is the reaper's process id. Ended forks are reaped.
    """
    requests, module = socket.socket(fileno=int(sys.argv[1])), importlib.import_module(sys.argv[2])
    prctl = reaper.find_prctl()
    prctl(_PR_SET_DUMPABLE, 0)  # or another process of the same user could read it and write to it
    signal.signal(signal.SIGCHLD, lambda *_: _reap_ended())
    gc.collect()
    gc.freeze()  # what is here by now is shared with each process that is forked
    while True:
        request, descriptors, *_ = socket.recv_fds(requests, 1 << 16, _MOST_DESCRIPTORS)
        if not request:
            os._exit(0)
        folder, numbers = marshal.loads(request)
        pid = os.fork()
        if pid == 0:
            requests.close()
            _reap(module, folder, dict(zip(numbers, descriptors, strict=True)))
        for descriptor in descriptors:
            os.close(descriptor)
        requests.send(str(pid).encode())


def _reap_ended() -> None:
    """Reap the forked processes that have ended."""
    with suppress(ChildProcessError):
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass


def _reap(module: Any, folder: str, descriptors: dict[int, int]) -> NoReturn:
    """Run the reaper of a command that is another fork, in a session of its own, and exit the process.

    Args:
        module: What the command runs.
        folder: Of the command.
        descriptors: By their numbers there: the lifeline, the status, the log, what says that this is alive, the rest.
    """
    status = 1
    try:
        os.setsid()
        lifeline, status_pipe, log, *_ = _renumber(descriptors)
        os.dup2(log, 1)
        os.dup2(log, 2)
        os.close(log)

        def become(order: dict[str, Any], parent: int, signals: reaper.Signals) -> NoReturn:
            _call(module, order, parent, signals)

        reaper.serve(lifeline, status_pipe, folder, become)
        status = 0
    finally:
        os._exit(status)


def _renumber(descriptors: dict[int, int]) -> list[int]:
    """Move descriptors to the numbers they are keyed by, which others of them may have now; return the keys.

    The old numbers are closed; the new ones are not inheritable.
    """
    above = max(_STANDARD, *descriptors, *descriptors.values()) + 1
    apart: dict[int, int] = {}
    for number, now in descriptors.items():
        apart[number] = above + len(apart)
        os.dup2(now, apart[number], inheritable=False)
        os.close(now)
    for number, now in apart.items():
        os.dup2(now, number, inheritable=False)
        os.close(now)
    return list(descriptors)


def _call(module: Any, order: dict[str, Any], parent: int, signals: reaper.Signals) -> NoReturn:
    """Run the command, `module.begin` with its words after `-m MODULE`, in this fork, and exit the process.

    The order's limits, environment and working directory hold. All descriptors are closed but the standard ones and
    those of the order. The exit status is 1 if `begin` returns or raises.
    """
    inherited = sorted({_STANDARD - 1, *order["descriptors"]})
    for standard, stream in enumerate(order["streams"]):
        os.dup2(stream, standard)
    signal.set_wakeup_fd(-1)
    reaper.apply_limits(order["limits"], parent, signals)
    for number in (signal.SIGPIPE, signal.SIGXFSZ):
        signal.signal(number, signal.SIG_IGN)  # as Python has it from its start
    signals.prctl(_PR_SET_DUMPABLE, 1)  # as after a start: a process may read itself
    if order["cwd"]:
        os.chdir(order["cwd"])
    os.environ.clear()
    os.environ.update(order["environment"])
    for low, high in zip(inherited, [*inherited[1:], os.sysconf("SC_OPEN_MAX")], strict=True):
        os.closerange(low + 1, high)  # the reaper waits until one of them is closed
    words = order["command"]
    try:
        module.begin(words[words.index("-m") + 2 :])
    except BaseException:  # as the interpreter does at its end
        traceback.print_exc()
    finally:
        sys.stderr.flush()
        os._exit(1)  # `begin` ends it itself


if __name__ == "__main__":
    main()
