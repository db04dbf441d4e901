"""Other processes, seen from a test."""

from __future__ import annotations

import contextlib
import os
import signal
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from harness.process import abilities, preloaded, reaper

__all__ = [
    *("HANDS_OVER_ORPHANS", "LIMITS_MEMORY", "alive", "children", "comes_to", "command", "heed_signals"),
    *("import_path", "running"),
]

_LOOK_SECONDS = 0.01
# Emulators of a processor leave these out.
LIMITS_MEMORY = pytest.mark.skipif(not abilities.limits_memory(), reason="this system keeps no limit on memory")
HANDS_OVER_ORPHANS = pytest.mark.skipif(
    not abilities.hands_over_orphans(), reason="this system does not hand over a process that lost its parent"
)


def alive(pid: int) -> bool:
    """Whether a process runs; one that nobody has waited for yet does not."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False


def children() -> set[int]:
    """The processes that this one started and that are still there, ended ones not waited for included; but for those
    that wait to be forked (`harness.process.preloaded`).
    """
    pids: set[int] = set()
    for process in Path("/proc").glob("[0-9]*"):  # not every kernel keeps a list of children
        with contextlib.suppress(OSError):  # it has ended
            if int((process / "stat").read_text().rsplit(")", 1)[1].split()[1]) == os.getpid():
                pids.add(int(process.name))
    return {pid for pid in pids if preloaded.__name__ not in command(pid)}


def running(module: str) -> list[int]:
    """The processes below this one, however deep, that run a module; each stands below a reaper of its own."""
    return [pid for pid in reaper.list_descendants(os.getpid()) if f"-m {module}" in command(pid)]


def comes_to(holds: Callable[[], bool], seconds: float = 60.0) -> bool:
    """Waits until something holds; a minute, for a machine that has more to do.

    Looks are counted, not read off a clock, which goes on where a machine is stopped and everybody else is not.
    """
    for _ in range(round(seconds / _LOOK_SECONDS)):
        if holds():
            return True
        time.sleep(_LOOK_SECONDS)
    return holds()


def command(pid: int) -> str:
    """What a process was started with; empty if it is gone."""
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace").strip()
    except OSError:
        return ""


def import_path(*folders: Path) -> str:
    """What `PYTHONPATH` is where Python imports from folders first; the caller's may be where the packages lie."""
    return os.pathsep.join(filter(None, (*map(str, folders), os.environ.get("PYTHONPATH"))))


def heed_signals() -> None:
    """For `preexec_fn`: signals end the process again, also where `nohup` or a shell's `&` had them ignored."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_DFL)
