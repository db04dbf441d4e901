"""`Compiler` runs `mojo` in a child with limits, and raises timeouts and faults of the machine: disk, memory, a kill.

A file that takes more than the limits does not compile. If the compiler was killed, or the disk is full, the machine is
to blame. That decision rests on the machine's own state, not on what the compiler prints: a file may cause any output.
"""

from __future__ import annotations

import contextlib
import os
import re
import resource
import shutil
import signal
from collections.abc import Callable, Iterator
from pathlib import Path

from harness.build import sdk, versions
from harness.errors import CompileTimeout, EnvironmentFault
from harness.model.sources import display_path
from harness.process.child import Child, Limits, ProcessExit
from harness.process.free_memory import find_free_bytes

__all__ = ["KILLED", "PROGRAM_LIMITS", "WALL_SECONDS", "Compiler", "describe_timeout", "describe_wait", "disk_errors"]

KILLED = "it was killed (SIGKILL), as happens when the machine has no memory left; try again when it has"

# By the clock it only has to end at some time: on a busy machine a compiler takes ten times as long.
WALL_SECONDS = 3600.0
# The largest of the puzzles takes a minute of the processor and half a GiB; a `comptime` that never ends takes all.
LIMITS = Limits(memory_bytes=4 << 30, cpu_seconds=150, seconds=WALL_SECONDS)
# Of a whole program, which may call MAX's library: a product of matrices alone has 25 kernels, 5 GiB and 100 s.
PROGRAM_LIMITS = Limits(memory_bytes=12 << 30, cpu_seconds=600, seconds=WALL_SECONDS)
_ROOM_BYTES = 1 << 20  # less than what any call leaves
# On a machine that has less left, a call that says so may have found too little; what it had is given back by then.
_SPARE_ROOM_BYTES, _SPARE_MEMORY_BYTES = 256 << 20, 1 << 30
_NO_ROOM = re.compile(r"No space left on device|available space\(\d+\) is not enough")
_NO_MEMORY = re.compile(r"ran out of memory|Out of memory|bad_alloc")


class Compiler(Child):
    """One run of the compiler; its `folder` holds the inputs and outputs.

    Args:
        mojo: The compiler.
        limits: Limits for it; those of a puzzle's file if None.

    Attributes:
        mojo: The program that is executed: the SDK's own if `mojo` is a script that only starts it.
        limits: Limits for it.
    """

    def __init__(self, mojo: Path, limits: Limits | None = None) -> None:
        self.limits, self.mojo = limits or LIMITS, sdk.resolve_launcher(mojo)
        super().__init__(self.limits)

    def run(self, arguments: list[str], origin: Path, meanwhile: Callable[[], object] | None = None) -> str:
        """Compile, and wait for the end; warns on stderr, once in a process, about an untested pair of MAX and Mojo.

        The compiler's cache is fresh, because after a cache hit it writes nothing.

        Args:
            arguments: The compiler's arguments.
            origin: The file to name in errors.
            meanwhile: Called once, when the compiler has started.

        Returns:
            What it printed; its exit status is no verdict.

        Raises:
            CompileTimeout: The file takes more than its processor time.
            EnvironmentFault: The machine is to blame: no room on the disk, no memory, killed, or the time by the clock
                is up.
        """
        versions.warn_once()
        self.launch(arguments)
        if meanwhile:
            meanwhile()
        return self.finish(origin)

    def compile_to_text(self, arguments: list[str], meanwhile: Callable[[], object] | None = None) -> str:
        """Compile into a pipe and return what was written, without waiting until the process has freed its memory.

        Args:
            arguments: The compiler's arguments without its output.
            meanwhile: Called once, when the compiler has started.

        Returns:
            The output, perhaps cut or empty. Then call `finish`, which raises the machine's fault or a timeout, or
            returns what the compiler printed.

        Raises:
            EnvironmentFault: The disk is full.
        """
        versions.warn_once()
        pipe = self.folder / "written"
        with disk_errors(self.folder):
            os.mkfifo(pipe)
        descriptor = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
        try:
            self.launch([*arguments, "-o", str(pipe)])
            if meanwhile:
                meanwhile()
            return self.read(descriptor).decode(errors="replace")
        finally:
            os.close(descriptor)

    def finish(self, origin: Path) -> str:
        """Wait for the end of the process, and return what it printed; raises as `run` does."""
        exit = self.wait()
        assert exit is not None  # without a time of our own it waits for the limits'
        noise = self.output()
        if exit.limit == "cpu_seconds":
            raise CompileTimeout(describe_timeout(display_path(origin), self._limits.cpu_seconds or 0))
        if fault := self._find_machine_fault(exit, noise):
            raise EnvironmentFault(f"`mojo` could not compile {display_path(origin)}: {fault}.")
        return noise

    def _find_machine_fault(self, exit: ProcessExit, noise: str) -> str:
        """Return what kept the compiler from its work on this machine, as a clause; empty if the machine is not to
        blame.

        To blame are the time by the clock, SIGKILL, a full disk, and memory that it did not get within its limit.
        """
        if exit.limit == "seconds":
            return describe_wait(self._limits.seconds or 0.0)
        if exit.status == -signal.SIGKILL:
            return KILLED
        if exit.status == 0:
            return ""
        room = _SPARE_ROOM_BYTES if _NO_ROOM.search(noise) else _ROOM_BYTES
        if shutil.disk_usage(self.folder).free < room:
            return _describe_full_disk(self.folder)
        most = self._limits.memory_bytes or 0
        if _NO_MEMORY.search(noise) and exit.peak_bytes < most // 3 and _memory_is_short(most):
            return "it got no more memory; free some, or raise this shell's own limit (ulimit)"
        return ""

    def launch(self, arguments: list[str]) -> None:
        """Start the compiler without waiting for it, with a cache folder of its own and no crash reports.

        Raises:
            EnvironmentFault: The disk is full, so that it would fail after most of its work.
        """
        if shutil.disk_usage(self.folder).free < _ROOM_BYTES:
            raise EnvironmentFault(f"{_describe_full_disk(self.folder)}.")
        environment = {
            "MODULAR_CACHE_DIR": str(self.folder / "cache"),
            "MODULAR_CRASH_REPORTING_ENABLED": "false",  # or a process that reports crashes is started, and stays
            "NO_COLOR": "1",
            **sdk.required_environment(self.mojo),
        }
        self.start([str(self.mojo), *arguments], environment)


def _describe_full_disk(folder: Path) -> str:
    return f"the disk with {folder.parent} is full; free some room, or set TMPDIR"


def _memory_is_short(most: int) -> bool:
    """Return whether a process here may get less than `most` bytes: by this process's own limits, or because less
    than 1 GiB is free.
    """
    limits = [limit for kind in (resource.RLIMIT_AS, resource.RLIMIT_DATA) for limit in resource.getrlimit(kind)]
    free = find_free_bytes()
    is_limited = any(limit != resource.RLIM_INFINITY and limit < most for limit in limits)
    return is_limited or (free is not None and free < _SPARE_MEMORY_BYTES)


def describe_timeout(what: str, cpu_seconds: float) -> str:
    """Return the sentence for a compilation that exceeded its processor time, with advice."""
    return (
        f"{what} was still compiling after {cpu_seconds:g} s of the processor, which is the limit: "
        "look for a `comptime` whose computation does not end"
    )


def describe_wait(seconds: float) -> str:
    """Return the sentence for a compiler that ran out of wall-clock time without using its processor time."""
    return f"it was not done after {seconds:g} s by the clock, most of which it waited; try again when less else runs"


@contextlib.contextmanager
def disk_errors(folder: Path) -> Iterator[None]:
    """Turn an `OSError` in the block into an `EnvironmentFault` about a full or unwritable disk; errors without `errno`
    pass.
    """
    try:
        yield
    except OSError as error:
        if error.errno is None:  # of a package that does not load, say
            raise
        raise EnvironmentFault(f"cannot write to {folder} ({error.strerror}): free some room, or set TMPDIR.") from None
