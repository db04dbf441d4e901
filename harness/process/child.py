"""Run commands with limits (`Child`), with two pipes (`Piped`), and end all they started; temporary folders.

Every child stands below a reaper (`harness.process.reaper`), which ends it, all that it started, and its folder as
soon as it is closed or this process is gone, by SIGTERM, SIGHUP or SIGKILL alike. `worker` adds messages to the pipes.
"""

from __future__ import annotations

import contextlib
import dataclasses
import marshal
import os
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

from harness.errors import EnvironmentFault
from harness.process import channel, preloaded, reaper, watch
from harness.process.loader import find_missing_loader

__all__ = ["Child", "Limits", "Piped", "ProcessExit", "stop_all", "temporary_folder", "wait_for_abandoned"]

_END_SECONDS = reaper.END_SECONDS + 5.0
_ABANDONED = "abandoned"  # the name of threads


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """The limits of a child; None is no limit. `harness.process.reaper` says which of them hold outside Linux.

    Attributes:
        memory_bytes: Of each process, what it has for itself alone; where `processes` are counted, of all of them
            together too, with what they share and a little more for our own (`harness.process.watch`).
        cpu_seconds: Of each process, in all its threads.
        file_bytes: Of each file that it writes.
        open_files: Of each process.
        processes: At any time, the command's own included; counted twenty times a second.
        folder_bytes: Of all files in its folder together; counted a few times a second.
        seconds: From start to end, by the wall clock.
    """

    memory_bytes: int | None = None
    cpu_seconds: int | None = None
    file_bytes: int | None = None
    open_files: int | None = None
    processes: int | None = None
    folder_bytes: int | None = None
    seconds: float | None = None


@dataclass(frozen=True, slots=True)
class ProcessExit:
    """The exit of a command.

    Attributes:
        status: Its exit status, or minus the number of the signal that killed it.
        limit: The field of `Limits` that it passed and was killed for, or `watch.STOPPED` if it held one of several
            processes, or empty. A program that gets no memory or no file ends by itself.
        cpu_seconds: What its own process used.
        peak_bytes: The most of memory that its own process had.
    """

    status: int
    limit: str = ""
    cpu_seconds: float = 0.0
    peak_bytes: int = 0

    def __str__(self) -> str:
        if self.status < 0:
            with contextlib.suppress(ValueError):
                return f"was killed by {signal.Signals(-self.status).name}"
        return f"ended with status {self.status}"


class Child:
    """A command that is started later, in a `with` statement or until `close`.

    What it prints goes to a file, unless told. Its stdin is empty, its process group its own (Ctrl-C reaches this
    process alone), its temporary folder `folder`.

    Args:
        limits: What it may use.
        descriptors: Open files that it inherits.
        module: Of ours, whose `begin` is the command, with its arguments: where that can be, a fork of a process that
            has it already (`harness.process.preloaded`).

    Attributes:
        folder: Of its own, removed with it; for what it is given and what it leaves.

    Raises:
        EnvironmentFault: There is no room for the folder, or no process can be started.
    """

    def __init__(self, limits: Limits | None = None, descriptors: Sequence[int] = (), module: str = "") -> None:
        self._limits, self._descriptors, self._module = limits or Limits(), tuple(descriptors), module
        self._program = ""
        self._message: dict[str, Any] | None = None  # the reaper's, on how the command ended
        try:
            self.folder = Path(tempfile.mkdtemp(prefix="puzzles-")).resolve()
        except OSError as error:
            raise EnvironmentFault(
                f"cannot make a temporary folder ({error.strerror}): free some room, or set TMPDIR."
            ) from None
        with contextlib.ExitStack() as undone:  # whatever comes between, Ctrl-C too
            undone.callback(shutil.rmtree, self.folder, ignore_errors=True)
            self._start_reaper(undone)
            undone.pop_all()
        _children.add(self)

    def _start_reaper(self, undone: contextlib.ExitStack) -> None:
        """Start `_reaper`; set `_lifeline`, `_status`, `_log`, which `undone` closes. May raise EnvironmentFault."""
        lifeline, self._lifeline = os.pipe()
        self._status, status = os.pipe()
        for descriptor in (self._lifeline, self._status):
            undone.callback(os.close, descriptor)
        utf8 = ["-X", "utf8"] if sys.flags.utf8_mode else []  # or it would name files in the locale's encoding
        command = [sys.executable, "-I", "-S", *utf8, reaper.__file__, str(lifeline), str(status), str(self.folder)]
        try:
            self._log = tempfile.TemporaryFile(dir=self.folder)  # noqa: SIM115 - closed by `close`
            undone.callback(self._log.close)
            self._reaper = self._fork_reaper(lifeline, status) or subprocess.Popen(
                command,
                pass_fds=(lifeline, status, *self._descriptors),
                stdin=subprocess.DEVNULL,
                stdout=self._log,
                stderr=self._log,
                start_new_session=True,
            )
        except OSError as error:
            raise EnvironmentFault(f"cannot start {sys.executable}: {error.strerror}.") from None
        finally:
            os.close(lifeline)
            os.close(status)

    def _fork_reaper(self, lifeline: int, status: int) -> preloaded.ForkedReaper | None:
        if not self._module:
            return None
        own_descriptors = lifeline, status, self._log.fileno()
        return preloaded.fork_reaper(self._module, str(self.folder), own_descriptors, self._descriptors)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def pid(self) -> int:
        """The process id of its reaper, above all that it starts."""
        return self._reaper.pid

    def start(
        self,
        command: Sequence[str],
        environment: Mapping[str, str] | None = None,
        streams: Sequence[int] = (),
        *,
        inherit: bool = True,
    ) -> None:
        """Start the command without waiting for it; if it cannot be started, only `wait` raises.

        Args:
            command: The program, on PATH or by its path, and its arguments.
            environment: Further environment variables; they win over inherited ones and the usual TMPDIR.
            streams: Which of the inherited descriptors are its stdin, stdout and stderr, instead of the usual ones.
            inherit: Whether it gets the environment variables of this process too.
        """
        self._program = command[0]
        limits = {name: value for name, value in dataclasses.asdict(self._limits).items() if value is not None}
        order = {
            "command": list(command),
            "environment": {**(os.environ if inherit else {}), "TMPDIR": str(self.folder), **(environment or {})},
            "limits": limits,
            "descriptors": self._descriptors,
            "streams": list(streams),
            "cwd": _find_working_directory(),
        }
        with contextlib.suppress(BrokenPipeError):  # then `wait` says what there is to say
            rest = memoryview(reaper.pack_order(order))
            while rest:
                rest = rest[os.write(self._lifeline, rest) :]

    def wait(self, timeout_seconds: float | None = None) -> ProcessExit | None:
        """Wait until the command has ended, and what it started was killed; return how it ended, again at later calls.

        Args:
            timeout_seconds: For how long at most this waits; the command's own limit is `Limits.seconds`.

        Returns:
            The exit, SIGKILL if the reaper was killed; None if there is none in that time, or it was closed before.

        Raises:
            EnvironmentFault: It could not be started; again at later calls.
        """
        if self._message is None and self._status >= 0:
            if not select.select([self._status], [], [], timeout_seconds)[0]:
                return None
            data = os.read(self._status, 1 << 16)
            self._message = marshal.loads(data) if data else {"status": -signal.SIGKILL}  # the reaper was killed
        if error := (self._message or {}).get("error"):
            raise EnvironmentFault(f"cannot start {self._program}: {error}{find_missing_loader(self._program)}.")
        return ProcessExit(**self._message) if self._message else None

    def read(self, pipe: int) -> bytes:
        """Read a pipe until its writer closes it, or the command has ended.

        Args:
            pipe: The reading end of a named pipe, opened without blocking.
        """
        return channel.read_until_closed(pipe, self._status)

    def output(self) -> str:
        """Return all that the command printed so far, stdout and stderr together; what is no UTF-8 is replaced."""
        self._log.seek(0)
        return self._log.read().decode(errors="replace")

    def close(self) -> None:
        """End it and all that it started, and remove its folder."""
        if (lifeline := self._take_lifeline()) >= 0:
            self._close_lifeline(lifeline)

    def abandon(self) -> None:
        """Close it in the background: a large process takes a tenth of a second to give back its memory."""
        if (lifeline := self._take_lifeline()) >= 0:
            # No daemon: this process ends after it, or calls `wait_for_abandoned` before.
            threading.Thread(target=self._close_lifeline, args=(lifeline,), name=_ABANDONED).start()

    def _take_lifeline(self) -> int:
        """Return the lifeline's descriptor to the first caller, -1 to all others: `_lifeline` is -1 from then on."""
        lifeline, self._lifeline = self._lifeline, -1
        return lifeline

    def _close_lifeline(self, lifeline: int) -> None:
        _children.discard(self)
        os.close(lifeline)
        with contextlib.suppress(ProcessLookupError):  # what it stands above may have stopped it
            self._reaper.send_signal(signal.SIGCONT)
        try:
            self._reaper.wait(_END_SECONDS)
        except subprocess.TimeoutExpired:  # something waits for a device; what can be killed is
            self._reaper.kill()
            self._reaper.wait()
        watch.remove_folder(str(self.folder))
        os.close(self._status)
        self._status = -1
        self._log.close()


class Piped(Child):
    """A child with a pipe to it and another one from it.

    Attributes:
        theirs: The descriptors that it reads from and writes to, as words of its command.
    """

    def __init__(self, limits: Limits | None = None) -> None:
        self._sending = threading.Lock()
        theirs_in, self._out = channel.open_pipe()
        self._in, theirs_out = channel.open_pipe()
        self.theirs = str(theirs_in), str(theirs_out)
        try:
            super().__init__(limits, (theirs_in, theirs_out))
        except EnvironmentFault:
            self._close_pipes()
            raise
        finally:
            os.close(theirs_in)
            os.close(theirs_out)

    def close(self) -> None:
        """End the child and all that it started, remove its folder, and close the pipes; a second call does nothing."""
        super().close()
        self._close_pipes()

    def _close_pipes(self) -> None:
        with self._sending:  # whoever is at it finds that nobody reads
            for descriptor in (self._in, self._out):
                if descriptor >= 0:
                    os.close(descriptor)
            self._in = self._out = -1


def _find_working_directory() -> str:
    """Return the working directory, or an empty string if it was removed."""
    with contextlib.suppress(OSError):
        return os.getcwd()
    return ""


_children: set[Child] = set()  # those that are not closed


def stop_all() -> None:
    """End what this process has started; threads that wait for it see it killed."""
    for child in list(_children):
        child._reaper.terminate()


def wait_for_abandoned() -> None:
    """Wait until all abandoned children are gone and what they used is counted; end the fork servers too."""
    for thread in threading.enumerate():
        if thread.name == _ABANDONED:
            thread.join()
    preloaded.close()


@contextlib.contextmanager
def temporary_folder() -> Iterator[Path]:
    """Make a folder that is removed afterwards, however this process ends."""
    with Child() as child:  # that nothing is started in
        yield child.folder
