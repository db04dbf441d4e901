"""The process above one command: set its limits, kill all that it started, remove its folder, send how it ended.

    python reaper.py LIFELINE STATUS FOLDER

The one message that comes down the lifeline, a pipe, says what to run and within which limits. After it nothing
comes: when the pipe closes, because the parent is done or because it is gone, by whatever signal, everything that
the command started is killed and its folder removed. How the command ended goes to STATUS, a pipe too.

On Linux every descendant is found, also one that left its process group or lost its parent, and the command is
killed when this process itself is. Emulators of a processor may leave that out (see `abilities`). Elsewhere (macOS)
only the command's own process group is found, neither `processes` nor what they hold together is watched, and the
operating system does not hold a process to `memory_bytes`: XNU refuses most limits on the address space. The rest
holds there too.

It imports nothing of the harness but `watch`, and little else, so that it starts as fast as an empty Python program.
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

__all__ = [
    "MEMORY",
    "Signals",
    "apply_limits",
    "end_all",
    "find_prctl",
    "list_descendants",
    "main",
    "pack_order",
    "run",
    "serve",
]

_PR_SET_PDEATHSIG = 1
_PR_SET_CHILD_SUBREAPER = 36
LINUX, list_descendants = watch.LINUX, watch.list_descendants
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
    """Run one command, report how it ended, and clean up after it: `serve` with `sys.argv`; then exit the process."""
    lifeline, status, folder = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
    for descriptor in (lifeline, status):
        os.set_inheritable(descriptor, False)
    serve(lifeline, status, folder, _become)
    os._exit(0)


def serve(lifeline: int, status: int, folder: str, become: Callable[[dict[str, Any], int, Signals], NoReturn]) -> None:
    """Run the order that comes down the lifeline, kill what it left, and send down `status` how it ended.

    When the lifeline closes, or at SIGTERM, it removes the folder and returns; if the command still runs then, it is
    killed, and nothing is sent.

    Args:
        lifeline: The pipe that the order comes down.
        status: The pipe that gets what `run` returns but its `group`: how the command ended, or why it did not start.
        folder: Whose size counts, and which is removed.
        become: What the forked process turns into. It gets the order, the id of this process and its signals.
    """
    signals = Signals()
    order = _read_order(lifeline)
    if order is not None:
        process_exit = run(order, folder, lifeline, signals, become)
        end_all(process_exit.pop("group"))
        if process_exit:
            _send_exit(status, process_exit)
            while not signals.unwanted(lifeline, None):  # the folder stays until its results are read
                pass
    watch.remove_folder(folder)


class Signals:
    """Make this process the parent of orphans below it, and wait for signals and a pipe at once."""

    def __init__(self) -> None:
        self._woken, wake = os.pipe()
        os.set_blocking(wake, False)
        signal.set_wakeup_fd(wake, warn_on_full_buffer=False)
        for number in (signal.SIGCHLD, signal.SIGTERM):
            signal.signal(number, lambda *_: None)  # they wake `select`
        self.prctl = find_prctl()
        self.prctl(_PR_SET_CHILD_SUBREAPER, 1)

    def unwanted(self, lifeline: int, seconds: float | None) -> bool:
        """Wait for a signal, some time, or the end of the lifeline; return whether this process is to end.

        It is to end when the lifeline closes, or at SIGTERM. None for `seconds` waits without a limit.
        """
        readable = select.select([lifeline, self._woken], [], [], seconds)[0]
        return lifeline in readable or (self._woken in readable and signal.SIGTERM in os.read(self._woken, 1 << 12))


def _read_order(lifeline: int) -> dict[str, Any] | None:
    """Read the order from the parent; return None if the parent is gone before it sent one."""
    data = b""
    while len(data) < _LENGTH or len(data) < _LENGTH + int.from_bytes(data[:_LENGTH], "little"):
        part = os.read(lifeline, 1 << 16)
        if not part:
            return None
        data += part
    order: dict[str, Any] = marshal.loads(data[_LENGTH:])
    return order


def pack_order(order: dict[str, Any]) -> bytes:
    """Encode an order for the lifeline, after its length: plain values only (`marshal`), read by the same Python."""
    data = marshal.dumps(order)
    return len(data).to_bytes(_LENGTH, "little") + data


def run(
    order: dict[str, Any],
    folder: str,
    lifeline: int,
    signals: Signals,
    become: Callable[[dict[str, Any], int, Signals], NoReturn],
) -> dict[str, Any]:
    """Run an order until it ends, passes a limit, or nobody wants it any more.

    Args:
        order: Its `limits`, its own `descriptors`, which this process closes, and what `become` needs.
        folder: Whose size counts.
        lifeline: Nobody wants it any more when this closes.
        signals: Of this process.
        become: What the forked process turns into.

    Returns:
        Its process group as `group`; and, if it could not be started, `error`; if it ended, the fields of `ProcessExit`
        (`harness.process.child`). Only `group` if nobody wants it any more: it may still run then.
    """
    limits, reaper_pid = order["limits"], os.getpid()
    failed, failure = os.pipe()  # closed by `exec`: silence means that the command runs
    pid = os.fork()
    if pid == 0:
        try:
            become(order, reaper_pid, signals)
        except (OSError, ValueError) as error:
            os.write(failure, str(getattr(error, "strerror", None) or error).encode())
        finally:
            os._exit(127)
    os.close(failure)
    for descriptor in order["descriptors"]:
        os.close(descriptor)  # or nobody would see the command close them
    if message := os.read(failed, 1 << 12):
        return {"group": pid, "error": message.decode()}
    if "processes" in limits:
        with contextlib.suppress(AttributeError, OSError):  # for the superuser: a thousand processes do not delay it
            os.sched_setscheduler(0, os.SCHED_FIFO | os.SCHED_RESET_ON_FORK, os.sched_param(1))
    watched, passed = watch.ProcessWatch(limits, reaper_pid, folder), ""
    while (process_exit := _reap(pid)) is None:
        if signals.unwanted(lifeline, None if passed else watched.seconds()):
            return {"group": pid}
        if not passed and (passed := watched.passed()):  # after that it is killed already
            _signal_all(pid)
    return {"group": pid, **_describe_exit(*process_exit, limits, passed)}


def _reap(pid: int) -> tuple[int, Any] | None:
    """Reap ended processes up to this one; return its wait status and resource usage, or None if it still runs."""
    while True:
        ended_pid, status, usage = os.wait4(-1, os.WNOHANG)
        if ended_pid in (0, pid):
            return (status, usage) if ended_pid else None


def _become(order: dict[str, Any], parent: int, signals: Signals) -> NoReturn:
    """Apply the limits in the forked process, and turn it into the command; OSError or ValueError if that fails."""
    apply_limits(order["limits"], parent, signals)
    for standard, stream in enumerate(order["streams"]):
        os.dup2(stream, standard)
        os.set_inheritable(stream, False)
    os.execvpe(order["command"][0], order["command"], order["environment"])


def apply_limits(limits: dict[str, Any], parent: int, signals: Signals) -> None:
    """Apply limits to this forked process, and make it die with its parent; exit with 127 if that is gone already.

    It also gets a process group of its own, the default actions of signals, and no core dumps. OSError or ValueError if
    a limit is refused; outside Linux, `memory_bytes` is left out then.
    """
    os.setpgid(0, 0)
    signals.prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:  # it went before the request
        os._exit(127)
    for number in (signal.SIGCHLD, signal.SIGTERM, signal.SIGPIPE, signal.SIGXFSZ):
        signal.signal(number, signal.SIG_DFL)  # Python ignores some, and that is inherited
    _set_limit(resource.RLIMIT_CORE, 0)
    for name, kind in _RESOURCES.items():
        if name in limits:
            # Of time, too, there is no warning: LLVM takes that for a crash, and at times waits for ever to tell of it.
            with contextlib.suppress(*(_REFUSALS if name == "memory_bytes" else ())):
                _set_limit(kind, limits[name])
    if "processes" in limits and LINUX:
        # What the operating system counts are all threads of the user (not for the superuser), so this only keeps
        # a program that multiplies from outrunning the watch.
        _set_limit(resource.RLIMIT_NPROC, _count_threads() + limits["processes"] + SPARE_PROCESSES)


def _set_limit(kind: int, value: int) -> None:
    """Set a soft and hard limit of this process, but never above the hard limit that it has."""
    most = resource.getrlimit(kind)[1]
    value = value if most == resource.RLIM_INFINITY else min(value, most)
    resource.setrlimit(kind, (value, value))


def _count_threads() -> int:
    """Return how many threads the user of this process has on the machine; 0 where there is no `/proc`."""
    count = 0
    for process in watch.list_processes():
        with contextlib.suppress(OSError):
            if os.stat(f"/proc/{process}").st_uid == os.getuid():
                count += len(os.listdir(f"/proc/{process}/task"))
    return count


def _describe_exit(status: int, usage: Any, limits: dict[str, Any], passed: str) -> dict[str, Any]:
    """Return the fields of `ProcessExit` for an ended process.

    `limit` is the one that the watch found `passed`, or that the signal stands for; SIGKILL near the limit of the
    processor's time stands for that.
    """
    code = os.waitstatus_to_exitcode(status)
    seconds = usage.ru_utime + usage.ru_stime
    limit = passed or _SIGNALS.get(-code, "")
    if code == -signal.SIGKILL and not limit and seconds > _NEARLY * limits.get("cpu_seconds", float("inf")):
        limit = "cpu_seconds"
    return {"status": code, "limit": limit, "cpu_seconds": seconds, "peak_bytes": watch.peak_bytes(usage)}


def _signal_all(group: int) -> int:
    """Kill the command's group and everything below this process; return how many were below it (0 outside Linux)."""
    pids = list_descendants(os.getpid())
    with contextlib.suppress(ProcessLookupError, PermissionError):  # the group has ended, or is not made yet
        os.killpg(group, signal.SIGKILL)
    for pid in pids:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.kill(pid, signal.SIGKILL)
    return len(pids)


def end_all(group: int) -> int:
    """Kill a group and everything below this process, until nothing is left or `END_SECONDS` are over.

    Return how many processes were below this one at first.
    """
    deadline = time.monotonic() + END_SECONDS
    remaining = count = _signal_all(group)
    while remaining and time.monotonic() < deadline:
        with contextlib.suppress(ChildProcessError):
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
        time.sleep(0.002)
        remaining = _signal_all(group)
    return count


def _send_exit(status: int, process_exit: dict[str, Any]) -> None:
    with contextlib.suppress(BrokenPipeError):  # nobody asks any more
        os.write(status, marshal.dumps(process_exit))
    os.close(status)


def find_prctl() -> Any:
    """Return the C function `prctl`; outside Linux a function that does nothing and returns None."""
    if not LINUX:
        return lambda *_: None
    import ctypes

    return ctypes.CDLL(None).prctl


if __name__ == "__main__":
    main()
