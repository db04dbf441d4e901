"""Sandboxes (bubblewrap, limits only, none) that run our modules, bytes in and bytes out, and pools of idle ones.

    bwrap    no network, no other process and no file but Python, the compiler and the harness, all read-only
    limits   the limits alone: memory, processor, files, processes, time
    off      a child without limits, to find out what a limit hides

A request goes in as a file, an answer comes out as one. The caller reads it as bytes and never unpickles it, because
untrusted text may control the child; `harness.process.stage` checks its form. `SandboxPool` uses a sandbox again, for
another process (`harness.process.fork_server`), if nothing is left of the one before.
"""

from __future__ import annotations

import contextlib
import dataclasses
import json
import os
import select
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from harness.errors import EnvironmentFault, unknown_name
from harness.model.plain_file import read_plain_file
from harness.process import bubblewrap, fork_server
from harness.process.child import Limits, Piped, ProcessExit
from harness.process.watch import STOPPED, StopDetector, list_descendants, remove_folder

__all__ = [
    "KINDS",
    "AnySandbox",
    "Sandbox",
    "SandboxAnswer",
    "SandboxPool",
    "Stop",
    "StoppedError",
    "choose_sandbox",
    "choose_strongest",
    "describe_sandbox",
]

KINDS = ("auto", "bwrap", "limits", "off")
Stop = Callable[[], bool]  # asked now and then whether an answer is still wanted: true where it is not
_ANSWER_BYTES = 256 << 20  # unless told
_STOP_SECONDS = 0.5
_START_SECONDS = 120.0  # beyond the limit of an order, which its server watches: to start one, and to end all of it
_NOISE_BYTES = 1 << 20


class StoppedError(Exception):
    """Nobody wants the answer any more."""


@dataclass(frozen=True, slots=True)
class Sandbox:
    """A way to isolate a child process.

    Attributes:
        kind: `bwrap`, `limits` or `off`.
        description: For people, with the reason where `auto` chose.
        is_chosen: Whether somebody asked for this kind, or for the strongest and got it.
    """

    kind: str
    description: str
    is_chosen: bool = True

    def ask(
        self,
        module: str,
        order: bytes,
        *,
        limits: Limits,
        most_bytes: int = _ANSWER_BYTES,
        devices: Iterable[Path] = (),
        stop: Stop | None = None,
    ) -> SandboxAnswer:
        """Call the `main` of a module in such a sandbox, and wait for its end. That it fails raises nothing.

        Args:
            module: It reads a file and writes a file; see `harness.process.stage`. It is imported before, and its
                `prepare` called if there is one.
            order: What it is asked.
            limits: What it may use; nothing of it holds in the box `off`.
            most_bytes: Of the answer; a larger one is none.
            devices: Device files that it may open.
            stop: Asked now and then whether the answer is not wanted any more.

        Raises:
            EnvironmentFault: It could not be started.
            StoppedError: The answer is not wanted any more.
        """
        with _Server(self, module, tuple(devices)) as server:
            return server.ask(order, limits, stop, most_bytes)


@dataclass(frozen=True, slots=True)
class SandboxAnswer:
    """The answer of a sandbox, and how its process ended.

    Attributes:
        process_exit: How its process ended.
        data: The answer, or None when it left none, or no plain file of a bearable size.
        noise: The last lines that it printed.
        served: Whether it is that process which ended, and not what starts it.
    """

    process_exit: ProcessExit
    data: bytes | None
    noise: str
    served: bool = True


def choose_sandbox(kind: str) -> Sandbox:
    """Choose the sandbox of a kind, one of `KINDS`; `auto` is `bwrap` if that works here, else `limits`.

    Raises:
        UsageError: There is no such kind.
        EnvironmentFault: `bwrap` does not work here, and `kind` is `bwrap`, or is `auto` and this is the superuser, to
            whom limits alone forbid nothing.
    """
    if kind not in KINDS:
        raise unknown_name("sandbox", kind, KINDS)
    if kind == "off":
        return Sandbox("off", describe_sandbox("off"))
    if kind == "limits":
        return Sandbox("limits", describe_sandbox("limits"))
    lack = bubblewrap.find_obstacle()
    if not lack:
        return choose_strongest()
    if kind == "bwrap":
        raise EnvironmentFault(f"--sandbox bwrap: {lack}; `--sandbox limits` does without.")
    if os.geteuid() == 0:
        raise EnvironmentFault(
            f"{lack}, and without it {_describe_exposure()}: install bubblewrap, or work as another user; "
            "`--sandbox limits` does it all the same."
        )
    return choose_strongest()


def describe_sandbox(kind: str) -> str:
    """Return in words what a kind of sandbox keeps out, and what not; the kind is not `auto`."""
    if kind == "bwrap":
        return "bwrap: network, processes and others' files are out of reach, but for a hole in the system's kernel"
    return f"{kind}: {'' if kind == 'limits' else 'no limits, and '}{_describe_exposure()}"


def choose_strongest() -> Sandbox:
    """Return bubblewrap's sandbox if it works here, else that of limits alone.

    Limits alone are not `is_chosen`, and their `description` says what they leave exposed. They are only for files of
    people whom the user trusts, since they keep no program from reading files.
    """
    if lack := bubblewrap.find_obstacle():
        return Sandbox("limits", f"limits ({lack}): {_describe_exposure()}", is_chosen=False)
    return Sandbox("bwrap", describe_sandbox("bwrap"))


def _describe_exposure() -> str:
    """Return in words what a program in a sandbox without bubblewrap could do; more if this is the superuser."""
    if os.geteuid() == 0:
        return "a program in it could do what the superuser may: read and change every file, other submissions too"
    return "a program in it could use the network, and read and change what you may, other submissions too"


class SandboxPool:
    """Sandboxes of a kind that wait for their next request, in a `with` statement or until `close`.

    Args:
        box: How each is shut in.
    """

    def __init__(self, box: Sandbox) -> None:
        self.box = box
        self._idle: dict[tuple[str, tuple[Path, ...]], list[_Server]] = {}
        self._lock = threading.Lock()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def ask(
        self,
        module: str,
        order: bytes,
        *,
        limits: Limits,
        most_bytes: int = _ANSWER_BYTES,
        devices: Iterable[Path] = (),
        stop: Stop | None = None,
    ) -> SandboxAnswer:
        """Ask as `Sandbox.ask` does, in an idle sandbox for this module and these devices, or a new one; thread-safe.

        Afterwards the sandbox is kept for the next call. It is ended if the order's process did not exit with status 0
        or left another process, if its folder cannot be emptied, if the pool was closed meanwhile, or if this raises.
        """
        key = module, tuple(devices)
        with self._lock:
            idle = self._idle.setdefault(key, [])
            server = idle.pop() if idle else None
        server = server or _Server(self.box, module, key[1])
        try:
            answer = server.ask(order, limits, stop, most_bytes)
        except BaseException:
            server.close()
            raise
        with self._lock:
            is_kept = server.clean and self._idle.get(key) is idle  # `close` may have taken the list meanwhile
            if is_kept:
                idle.append(server)
        if not is_kept:
            server.close()
        return answer

    def close(self) -> None:
        """End the idle sandboxes; those that are answering end after their answers, and are not used again."""
        with self._lock:
            idle = [server for servers in self._idle.values() for server in servers]
            self._idle.clear()
        for server in idle:
            server.close()


AnySandbox = Sandbox | SandboxPool


class _Server(Piped):
    """A fork server in a box.

    Attributes:
        clean: Whether nothing is left of the last order, which ended as it should: only then may there be another.
    """

    def __init__(self, box: Sandbox, module: str, devices: tuple[Path, ...]) -> None:
        super().__init__()
        self._limited, self.clean = box.kind != "off", True
        words = [sys.executable, "-P", "-s", "-m", fork_server.__name__, *self.theirs]
        prefix = bubblewrap.make_command(self.folder, devices) if box.kind == "bwrap" else []
        variables = bubblewrap.make_environment(str(self.folder))
        self.start([*prefix, *words, str(self.folder), module], variables, inherit=False)

    def ask(self, order: bytes, limits: Limits, stop: Stop | None, most_bytes: int) -> SandboxAnswer:
        """Run one order (a request) in a fork of the server; return its answer and set `clean`. See `Sandbox.ask`.

        `clean` says whether another order may follow. That the order's process fails raises nothing.

        Raises:
            EnvironmentFault: Its folder has no room, or no process can be started.
            StoppedError: The answer is not wanted any more.
        """
        self.clean = False
        try:
            (self.folder / "order").write_bytes(order)
        except OSError as error:
            raise EnvironmentFault(f"cannot write to {self.folder}: {error.strerror}.") from None
        set_limits = {name: value for name, value in dataclasses.asdict(limits).items() if value is not None}
        line = json.dumps({"folder": str(self.folder), "limits": set_limits if self._limited else {}})
        with contextlib.suppress(BrokenPipeError):  # then it has ended, and says so
            os.write(self._out, line.encode() + b"\n")
        process_exit, survivors, served = self._wait_for_reply(limits, stop)
        data, noise = (self._read_file(name, most) for name, most in (("answer", most_bytes), ("noise", _NOISE_BYTES)))
        output = (noise or b"").decode(errors="replace") + self.output()
        self.clean = process_exit.status == 0 and not survivors and self._empty_folder()
        return SandboxAnswer(process_exit, data, "\n".join(output[-4000:].splitlines()[-12:]), served)

    def _wait_for_reply(self, limits: Limits, stop: Stop | None) -> tuple[ProcessExit, int, bool]:
        """Wait for the process of an order; return its exit, how many others it left, and whether the server sent that.

        If not, the exit is the server's own, or a SIGKILL that nobody sent, for a time that passed or a stopped
        process: the caller closes the server. Raises EnvironmentFault if the server could not start the process,
        StoppedError if `stop` says that the answer is not wanted any more.
        """
        deadline = time.monotonic() + limits.seconds + _START_SECONDS if limits.seconds and self._limited else None
        data, stops = b"", StopDetector()
        while not data.endswith(b"\n"):
            if select.select([self._in], [], [], _STOP_SECONDS)[0]:
                part = os.read(self._in, 1 << 16)
                if not part:
                    return self.wait() or ProcessExit(-signal.SIGKILL), 0, False
                data += part
            elif stop and stop():
                raise StoppedError
            elif self._limited and stops.last((self.pid, *list_descendants(self.pid)), time.monotonic()):
                # With limits alone its watch can be reached from inside.
                return ProcessExit(-signal.SIGKILL, STOPPED), 0, False
            elif deadline and time.monotonic() > deadline:
                return ProcessExit(-signal.SIGKILL, "seconds"), 0, False
        reply = json.loads(data)
        if "error" in reply:
            raise EnvironmentFault(f"cannot start a process in a box: {reply['error']}.")
        return (
            ProcessExit(reply["status"], reply["limit"], reply["cpu_seconds"], reply["peak_bytes"]),
            reply["left"],
            True,
        )

    def _read_file(self, name: str, most_bytes: int) -> bytes | None:
        try:
            return read_plain_file(self.folder / name, most_bytes)
        except OSError:
            return None

    def _empty_folder(self) -> bool:
        """Remove everything in the folder; return whether that worked."""
        try:
            for entry in os.scandir(self.folder):
                if not entry.is_dir(follow_symlinks=False):
                    os.unlink(entry.path)
                elif not remove_folder(entry.path):
                    return False
        except OSError:
            return False
        return True
