"""What the operating system does not hold several processes to together: looked at while they run.

Like `harness.process.reaper`, whose process it runs in, it imports nothing of the harness and little else.
"""

from __future__ import annotations

import contextlib
import os
import sys
import time

TYPE_CHECKING = False  # as the type checkers know it: `typing` takes a tenth of the start
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

__all__ = ["LINUX", "Watch", "below", "memory", "processes", "removed", "size"]

LINUX = sys.platform == "linux"
WATCH_SECONDS = 0.05  # between two looks at the processes and at their memory
SIZE_SECONDS = 0.25  # and at what lies in the folder
MOST_SHARE = 0.1  # of a processor, for looks at memory: among all processes of a large machine they take long
# Of memory, for what stands between a box and its program: our own processes, and what these share with who forked
# them, which counts for each. A program that takes too much for itself alone is told so by the system before.
SPARE_BYTES = 256 << 20
# What a process holds, by the system's account of it, if it is no file's: pages of its own, shared with others,
# written to the swap, of the large kind, and the tables of all of them.
_HELD = {b"RssAnon", b"RssShmem", b"VmSwap", b"HugetlbPages", b"VmPTE"}
_GONE = (FileNotFoundError, NotADirectoryError)


class Watch:
    """Looks now and then at what a process has started.

    Args:
        limits: What may be taken, by its name.
        pid: Of the process.
        folder: Whose size counts.
    """

    def __init__(self, limits: dict[str, Any], pid: int, folder: str) -> None:
        self._limits, self._pid, self._folder = limits, pid, folder
        self._deadline = time.monotonic() + limits["seconds"] if "seconds" in limits else None
        # Where processes count, so does what they have together.
        self._held = limits["memory_bytes"] + SPARE_BYTES if LINUX and {"processes", "memory_bytes"} <= {*limits} else 0
        self._weighed = self._sized = 0.0  # when the next look at memory and folder is due
        self._heavy = False

    def seconds(self) -> float | None:
        """Until there is something to look at; None if there never is."""
        waits = [] if self._deadline is None else [max(0.0, self._deadline - time.monotonic())]
        waits += [WATCH_SECONDS] if "processes" in self._limits else []
        waits += [SIZE_SECONDS] if "folder_bytes" in self._limits else []
        return min(waits, default=None)

    def passed(self) -> str:
        """The limit that is passed, or nothing."""
        limits, now = self._limits, time.monotonic()
        if self._deadline is not None and now >= self._deadline:
            return "seconds"
        if "processes" in limits and _more_below(self._pid, limits["processes"]):
            return "processes"
        if self._held and now >= self._weighed and self._too_heavy(now):
            return "memory_bytes"
        if "folder_bytes" in limits and now >= self._sized:
            self._sized = now + SIZE_SECONDS
            if size(self._folder) > limits["folder_bytes"]:
                return "folder_bytes"
        return ""

    def _too_heavy(self, now: float) -> bool:
        """Whether there is too much memory twice in a row: between a fork and its `exec` the same counts twice."""
        before, self._heavy = self._heavy, memory(below(self._pid)) > self._held
        self._weighed = now + max(WATCH_SECONDS / 2, (time.monotonic() - now) / MOST_SHARE)
        return before and self._heavy


def below(pid: int) -> list[int]:
    """The processes that a process started, theirs and so on; none where there is no `/proc`."""
    children: dict[int, list[int]] = {}
    for process in processes():
        with contextlib.suppress(OSError), open(f"/proc/{process}/stat", "rb") as file:
            # After the name, which may hold anything, come state and parent.
            parent = int(file.read().rpartition(b")")[2].split()[1])
            children.setdefault(parent, []).append(int(process))
    descendants, left = [], [pid]
    while left:
        own = children.get(left.pop(), [])
        descendants += own
        left += own
    return descendants


def processes() -> list[str]:
    """The numbers of all processes in sight; none where there is no `/proc`."""
    return list(filter(str.isdigit, os.listdir("/proc"))) if LINUX else []


def _more_below(pid: int, most: int) -> bool:
    """Whether a process has started more than that; in a namespace of its own, without a look at any of them."""
    return len(processes()) > most and len(below(pid)) > most


def memory(pids: Iterable[int]) -> int:
    """The bytes that processes hold; what several of them share counts for each."""
    kib = 0
    for pid in pids:
        with contextlib.suppress(OSError), open(f"/proc/{pid}/status", "rb") as file:  # it is gone by now
            for line in file:
                name, _, value = line.partition(b":")
                if name in _HELD:
                    kib += int(value.split()[0])
    return kib << 10


def size(folder: str) -> float:
    """The bytes of all that lies in a folder, links for themselves; without end where that cannot be seen."""
    total, left = 0.0, [folder]
    while left:
        place = left.pop()
        try:
            try:
                own, folders = _entries(place)
            except PermissionError:  # its owner took them away, and this process is the same user's
                os.chmod(place, 0o700)
                own, folders = _entries(place)
        except _GONE:
            continue
        except OSError:  # its name is too long, say
            return float("inf")
        total += own
        left += folders
    return total


def _entries(folder: str) -> tuple[int, list[str]]:
    """The bytes of what lies in a folder itself, and the folders in there."""
    total, folders = 0, []
    with os.scandir(folder) as entries:
        for entry in entries:
            with contextlib.suppress(*_GONE):
                total += entry.stat(follow_symlinks=False).st_blocks * 512
                if entry.is_dir(follow_symlinks=False):
                    folders.append(entry.path)
    return total, folders


def removed(folder: str) -> bool:
    """Removes a folder in which nobody is at work any more; whether nothing of it is left."""
    import shutil  # late, as all that a reaper needs only at its end

    with contextlib.suppress(RecursionError):  # folders in folders
        shutil.rmtree(folder, ignore_errors=True)
    if os.path.lexists(folder) and not os.path.islink(folder):
        import subprocess

        # Somebody may have taken away what their owner may do there. These two follow no link, and go to any depth.
        for command in (("chmod", "-R", "700"), ("rm", "-rf")):
            with contextlib.suppress(OSError):
                subprocess.run([*command, "--", folder], stdin=subprocess.DEVNULL, capture_output=True)
    return not os.path.lexists(folder)
