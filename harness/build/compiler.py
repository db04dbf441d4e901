"""One call of `mojo`, in a child with limits, and who is to blame when it fails.

A file that takes more than the limits does not compile. That the compiler was killed, or found no room on the disk,
is the machine's fault. What it prints does not decide that, since a file may have any words in an error of its own: the
machine's own account does.
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
from harness.model.sources import shown
from harness.process.child import Child, Limits, ProcessExit
from harness.process.free_memory import find_free_bytes

__all__ = ["KILLED", "PROGRAM_LIMITS", "WALL_SECONDS", "Compiler", "still_compiling", "waited", "writing"]

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
    """A call that is made later; its `folder` holds what it is given and what it leaves.

    Args:
        mojo: The program.
        limits: On what it takes; those of a puzzle's file unless told.

    Attributes:
        mojo: The program that is executed: the SDK's own where `mojo` is a script that only starts it.
        limits: On what it takes.
    """

    def __init__(self, mojo: Path, limits: Limits | None = None) -> None:
        self.limits, self.mojo = limits or LIMITS, sdk.behind(mojo)
        super().__init__(self.limits)

    def run(self, arguments: list[str], origin: Path, meanwhile: Callable[[], object] | None = None) -> str:
        """Compiles, with a cache of its own: a hit would write nothing.

        Args:
            arguments: Of the compiler.
            origin: The file to name.
            meanwhile: Is called while it runs.

        Returns:
            What it printed; its exit status says little.

        Raises:
            CompileTimeout: The file takes more than the limits.
            EnvironmentFault: The machine is to blame.
        """
        versions.warn_once()
        self.launch(arguments)
        if meanwhile:
            meanwhile()
        return self.finish(origin)

    def written(self, arguments: list[str], meanwhile: Callable[[], object] | None = None) -> str:
        """Compiles into a pipe, and does not wait until the process has given its memory back.

        Args:
            arguments: Of the compiler, all but what it writes to.
            meanwhile: Is called while it runs.

        Returns:
            What it wrote, or the beginning of it, or nothing; then `finish` says why.
        """
        versions.warn_once()
        pipe = self.folder / "written"
        with writing(self.folder):
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
        """Waits for its end; arguments, result and errors are those of `run`."""
        ended = self.wait()
        assert ended is not None  # without a time of our own it waits for the limits'
        noise = self.output()
        if ended.limit == "cpu_seconds":
            raise CompileTimeout(still_compiling(shown(origin), self._limits.cpu_seconds or 0))
        if fault := self._fault(ended, noise):
            raise EnvironmentFault(f"`mojo` could not compile {shown(origin)}: {fault}.")
        return noise

    def _fault(self, ended: ProcessExit, noise: str) -> str:
        """What of the machine kept the compiler from its work, or nothing."""
        if ended.limit == "seconds":
            return waited(self._limits.seconds or 0.0)
        if ended.status == -signal.SIGKILL:
            return KILLED
        if ended.status == 0:
            return ""
        room = _SPARE_ROOM_BYTES if _NO_ROOM.search(noise) else _ROOM_BYTES
        if shutil.disk_usage(self.folder).free < room:
            return _full(self.folder)
        most = self._limits.memory_bytes or 0
        if _NO_MEMORY.search(noise) and ended.peak_bytes < most // 3 and _memory_is_short(most):
            return "it got no more memory; free some, or raise this shell's own limit (ulimit)"
        return ""

    def launch(self, arguments: list[str]) -> None:
        """Start the compiler, and do not wait for it.

        Raises:
            EnvironmentFault: Its disk is full: it would fail after most of its work.
        """
        if shutil.disk_usage(self.folder).free < _ROOM_BYTES:
            raise EnvironmentFault(f"{_full(self.folder)}.")
        environment = {
            "MODULAR_CACHE_DIR": str(self.folder / "cache"),
            "MODULAR_CRASH_REPORTING_ENABLED": "false",  # or a process that reports crashes is started, and stays
            "NO_COLOR": "1",
            **sdk.environment(self.mojo),
        }
        self.start([str(self.mojo), *arguments], environment)


def _full(folder: Path) -> str:
    return f"the disk with {folder.parent} is full; free some room, or set TMPDIR"


def _memory_is_short(most: int) -> bool:
    """Whether a process here may get less memory than that: by a limit of this one's own, or because others have it."""
    own = [limit for kind in (resource.RLIMIT_AS, resource.RLIMIT_DATA) for limit in resource.getrlimit(kind)]
    free = find_free_bytes()
    held = any(limit != resource.RLIM_INFINITY and limit < most for limit in own)
    return held or (free is not None and free < _SPARE_MEMORY_BYTES)


def still_compiling(what: str, cpu_seconds: float) -> str:
    """That something takes more than the limit, and where to look."""
    return (
        f"{what} was still compiling after {cpu_seconds:g} s of the processor, which is the limit: "
        "look for a `comptime` whose computation does not end"
    )


def waited(seconds: float) -> str:
    """That a compiler did not come to its end, though it has used less of the processor than it may."""
    return f"it was not done after {seconds:g} s by the clock, most of which it waited; try again when less else runs"


@contextlib.contextmanager
def writing(folder: Path) -> Iterator[None]:
    """What is written meanwhile may find no room.

    Raises:
        EnvironmentFault: It did not.
    """
    try:
        yield
    except OSError as error:
        if error.errno is None:  # of a package that does not load, say
            raise
        raise EnvironmentFault(f"cannot write to {folder} ({error.strerror}): free some room, or set TMPDIR.") from None
