"""Stands above one command and outlives whoever asked for it: `python reaper.py LIFELINE STATUS FOLDER`.

The one message that comes down the lifeline, a pipe, says what to run and within which limits. After it nothing
comes: when the pipe closes, because the parent is done or because it is gone, by whatever signal, everything that
the command started is killed and its folder removed. How the command ended goes to STATUS, a pipe too.

On Linux every descendant is found, also one that left its process group or lost its parent, and the command is
killed when this process itself is. Emulators of a processor may leave that out (see `abilities`). Elsewhere (macOS)
only the command's own process group is found, neither `processes` nor what they hold together is watched, and the
operating system does not hold a process to `memory_bytes`: XNU refuses most limits on the address space. The rest
holds there too.

It imports nothing of the harness and little else, so that it starts in the time of an empty Python program.
"""

from __future__ import annotations

import contextlib
import marshal
import os
import resource
import select
import signal
import sys
import time

TYPE_CHECKING = False  # as the type checkers know it: `typing` takes a tenth of the start
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, NoReturn

    from harness.process import watch
elif __package__:
    from harness.process import watch
else:  # run as a file: what lies beside it is found last
    sys.path.append(os.path.dirname(os.path.abspath(__file__)))
    watch = __import__("watch")

__all__ = ["MEMORY", "Signals", "below", "end_all", "main", "packed", "prctl", "run", "serve", "shut_in"]

_PR_SET_PDEATHSIG = 1
_PR_SET_CHILD_SUBREAPER = 36
LINUX, below = watch.LINUX, watch.below
END_SECONDS = 10.0  # a process that waits for a device cannot be killed until it is done
_LENGTH = 8  # bytes that say how long the message is
SPARE_PROCESSES = 256  # that the same user may start elsewhere meanwhile
# On Linux `DATA` is what a process has for itself alone, without what it maps or only reserves: MAX and the compiler
# reserve far more than they use.
MEMORY = resource.RLIMIT_DATA if LINUX else resource.RLIMIT_AS
# What the operating system counts, for each process.
_RESOURCES = {
    "memory_bytes": MEMORY,
    "cpu_seconds": resource.RLIMIT_CPU,
    "file_bytes": resource.RLIMIT_FSIZE,
    "open_files": resource.RLIMIT_NOFILE,
}
# How a system says that it does not take a limit on memory. Linux takes each: there a refusal is a fault.
_REFUSALS = () if LINUX else (OSError, ValueError)
_NEARLY = 0.8  # of its time: who kills it counts in ticks of the clock, and what is told of it is exact
_SIGNALS: dict[int, str] = {signal.SIGXCPU: "cpu_seconds", signal.SIGXFSZ: "file_bytes"}


def main() -> NoReturn:
    """Runs one command, tells how it ended, and cleans up after it."""
    lifeline, status, folder = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
    for descriptor in (lifeline, status):
        os.set_inheritable(descriptor, False)
    serve(lifeline, status, folder, _become)
    os._exit(0)


def serve(lifeline: int, status: int, folder: str, become: Callable[[dict[str, Any], int, Signals], NoReturn]) -> None:
    """The same, where they are open; arguments as of `run`."""
    signals = Signals()
    order = _order(lifeline)
    if order is not None:
        ended = run(order, folder, lifeline, signals, become)
        end_all(ended.pop("group"))
        if ended:
            _tell(status, ended)
            while not signals.unwanted(lifeline, None):  # the folder stays until its results are read
                pass
    watch.removed(folder)


class Signals:
    """Makes this process the one that what it starts falls to, and lets it wait for signals and a pipe at once."""

    def __init__(self) -> None:
        self._woken, wake = os.pipe()
        os.set_blocking(wake, False)
        signal.set_wakeup_fd(wake, warn_on_full_buffer=False)
        for number in (signal.SIGCHLD, signal.SIGTERM):
            signal.signal(number, lambda *_: None)  # they wake `select`
        self.prctl = prctl()
        self.prctl(_PR_SET_CHILD_SUBREAPER, 1)

    def unwanted(self, lifeline: int, seconds: float | None) -> bool:
        """Waits for a signal, some time, or the end of the lifeline; whether this process is to end."""
        readable = select.select([lifeline, self._woken], [], [], seconds)[0]
        return lifeline in readable or (self._woken in readable and signal.SIGTERM in os.read(self._woken, 1 << 12))


def _order(lifeline: int) -> dict[str, Any] | None:
    """Read the order from the parent; return None if the parent is gone before it sent one."""
    data = b""
    while len(data) < _LENGTH or len(data) < _LENGTH + int.from_bytes(data[:_LENGTH], "little"):
        part = os.read(lifeline, 1 << 16)
        if not part:
            return None
        data += part
    order: dict[str, Any] = marshal.loads(data[_LENGTH:])
    return order


def packed(order: dict[str, Any]) -> bytes:
    """A message for the lifeline: plain values only, and read by the same Python."""
    data = marshal.dumps(order)
    return len(data).to_bytes(_LENGTH, "little") + data


def run(
    order: dict[str, Any],
    folder: str,
    lifeline: int,
    signals: Signals,
    become: Callable[[dict[str, Any], int, Signals], NoReturn],
) -> dict[str, Any]:
    """Runs what is ordered until it ends, a limit is passed, or nobody wants it any more.

    Args:
        order: Its `limits`, the `descriptors` that are its own, and what `become` needs.
        folder: Whose size counts.
        lifeline: Nobody wants it any more when this closes.
        signals: Of this process.
        become: What the forked process turns into.

    Returns:
        Its process group, and how it ended if it did.
    """
    limits, own = order["limits"], os.getpid()
    failed, failure = os.pipe()  # closed by `exec`: silence means that the command runs
    pid = os.fork()
    if pid == 0:
        try:
            become(order, own, signals)
        except (OSError, ValueError) as error:
            os.write(failure, str(getattr(error, "strerror", None) or error).encode())
        finally:
            os._exit(127)
    os.close(failure)
    for descriptor in order["descriptors"]:
        os.close(descriptor)  # or nobody would see the command close them
    if said := os.read(failed, 1 << 12):
        return {"group": pid, "error": said.decode()}
    if "processes" in limits:
        with contextlib.suppress(AttributeError, OSError):  # for the superuser: a thousand processes do not delay it
            os.sched_setscheduler(0, os.SCHED_FIFO | os.SCHED_RESET_ON_FORK, os.sched_param(1))
    watched, passed = watch.Watch(limits, own, folder), ""
    while (ended := _reaped(pid)) is None:
        if signals.unwanted(lifeline, None if passed else watched.seconds()):
            return {"group": pid}
        if not passed and (passed := watched.passed()):  # after that it is killed already
            _signal_all(pid)
    return {"group": pid, **_facts(*ended, limits, passed)}


def _reaped(pid: int) -> tuple[int, Any] | None:
    """Waits for whatever has ended; the status of that process and what it used, if it is among them."""
    while True:
        ended, status, usage = os.wait4(-1, os.WNOHANG)
        if ended in (0, pid):
            return (status, usage) if ended else None


def _become(order: dict[str, Any], parent: int, signals: Signals) -> NoReturn:
    """In the forked process: takes on the limits and turns into the command."""
    shut_in(order["limits"], parent, signals)
    for standard, stream in enumerate(order["streams"]):
        os.dup2(stream, standard)
        os.set_inheritable(stream, False)
    os.execvpe(order["command"][0], order["command"], order["environment"])


def shut_in(limits: dict[str, Any], parent: int, signals: Signals) -> None:
    """In a forked process: takes on limits, and dies with its parent."""
    os.setpgid(0, 0)
    signals.prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:  # it went before the request
        os._exit(127)
    for number in (signal.SIGCHLD, signal.SIGTERM, signal.SIGPIPE, signal.SIGXFSZ):
        signal.signal(number, signal.SIG_DFL)  # Python ignores some, and that is inherited
    _limit(resource.RLIMIT_CORE, 0)
    for name, kind in _RESOURCES.items():
        if name in limits:
            # Of time, too, there is no warning: LLVM takes that for a crash, and at times waits for ever to tell of it.
            with contextlib.suppress(*(_REFUSALS if name == "memory_bytes" else ())):
                _limit(kind, limits[name])
    if "processes" in limits and LINUX:
        # What the operating system counts are all threads of the user (not for the superuser), so this only keeps
        # a program that multiplies from outrunning the watch.
        _limit(resource.RLIMIT_NPROC, _threads() + limits["processes"] + SPARE_PROCESSES)


def _limit(kind: int, value: int) -> None:
    """Sets a limit, but never above what it may be now."""
    most = resource.getrlimit(kind)[1]
    value = value if most == resource.RLIM_INFINITY else min(value, most)
    resource.setrlimit(kind, (value, value))


def _threads() -> int:
    """How many threads the user of this process has on the machine."""
    count = 0
    for process in watch.processes():
        with contextlib.suppress(OSError):
            if os.stat(f"/proc/{process}").st_uid == os.getuid():
                count += len(os.listdir(f"/proc/{process}/task"))
    return count


def _facts(status: int, usage: Any, limits: dict[str, Any], passed: str) -> dict[str, Any]:
    code = os.waitstatus_to_exitcode(status)
    seconds = usage.ru_utime + usage.ru_stime
    limit = passed or _SIGNALS.get(-code, "")
    if code == -signal.SIGKILL and not limit and seconds > _NEARLY * limits.get("cpu_seconds", float("inf")):
        limit = "cpu_seconds"
    return {"status": code, "limit": limit, "cpu_seconds": seconds, "peak_bytes": watch.peak_bytes(usage)}


def _signal_all(group: int) -> int:
    """Kills the command's group and everything below this process; how many there were."""
    pids = below(os.getpid())
    with contextlib.suppress(ProcessLookupError, PermissionError):  # the group has ended, or is not made yet
        os.killpg(group, signal.SIGKILL)
    for pid in pids:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.kill(pid, signal.SIGKILL)
    return len(pids)


def end_all(group: int) -> int:
    """Kills a group and everything below this process, until nothing is left; how many there were."""
    deadline = time.monotonic() + END_SECONDS
    left = count = _signal_all(group)
    while left and time.monotonic() < deadline:
        with contextlib.suppress(ChildProcessError):
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
        time.sleep(0.002)
        left = _signal_all(group)
    return count


def _tell(status: int, ended: dict[str, Any]) -> None:
    with contextlib.suppress(BrokenPipeError):  # nobody asks any more
        os.write(status, marshal.dumps(ended))
    os.close(status)


def prctl() -> Any:
    """The system call of that name; does nothing where there is none."""
    if not LINUX:
        return lambda *_: None
    import ctypes

    return ctypes.CDLL(None).prctl


if __name__ == "__main__":
    main()
