"""Watch a command's processes for limits on memory, disk, number, time and stops; measure and remove folders.

The operating system applies no limit to several processes together, so this looks at them at intervals. It kills
nothing. Like `harness.process.reaper`, whose process it runs in, it imports nothing of the harness and little else.
"""

from __future__ import annotations

import contextlib
import os
import stat
import sys
import time

TYPE_CHECKING = False  # as the type checkers know it: `typing` takes a tenth of the start
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

__all__ = [
    "LINUX",
    "STOPPED",
    "ProcessWatch",
    "StopDetector",
    "disk_usage",
    "list_descendants",
    "list_processes",
    "measure_unnamed_files",
    "memory_bytes",
    "peak_bytes",
    "remove_folder",
]

LINUX = sys.platform == "linux"
STOPPED = "stopped"  # the limit that is passed where a process is held by a signal or a tracer
STOPPED_SECONDS = 1.0  # for which one may be: who is at a terminal, or looks for a defect, stops more than these
WATCH_SECONDS = 0.05  # between two looks at the processes and at their memory
SIZE_SECONDS = 0.25  # and at what lies in the folder
MOST_SHARE = 0.05  # of a processor, for looks at all processes of a machine: many programs may be watched on it at once
# Of memory, for what stands between a box and its program: our own processes, and what these share with who forked
# them, which counts for each. A program that takes too much for itself alone is told so by the system before.
SPARE_BYTES = 256 << 20
# What a process holds, by the system's account of it, if it is no file's: pages of its own, shared with others,
# written to the swap, of the large kind, and the tables of all of them.
_HELD = {b"RssAnon", b"RssShmem", b"VmSwap", b"HugetlbPages", b"VmPTE"}
_IN_MEMORY = ("/memfd:", "/SYSV", "/dev/zero")  # where links to what has no name lead, if it is no file of a disk
_GONE = (FileNotFoundError, NotADirectoryError)


class ProcessWatch:
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
        self._several = LINUX and "processes" in limits
        self._held = limits["memory_bytes"] + SPARE_BYTES if self._several and "memory_bytes" in limits else 0
        self._looked = self._sized = 0.0  # when the next look at the processes and at files is due
        self._crowd = 0  # a look is due, too, if more processes than these are visible
        self._heavy, self._stops = False, StopDetector()
        self._pids: list[int] = []  # as of the last look
        self._hidden = 0  # bytes of memory behind descriptors

    def seconds(self) -> float | None:
        """Return the seconds to wait at most before `passed` is called again; None if no limit needs such a call."""
        waits = [] if self._deadline is None else [max(0.0, self._deadline - time.monotonic())]
        waits += [WATCH_SECONDS] if "processes" in self._limits else []
        waits += [SIZE_SECONDS] if "folder_bytes" in self._limits else []
        return min(waits, default=None)

    def passed(self) -> str:
        """Look at what is due, and return the field of `Limits` that is passed, or `STOPPED`; empty if none is.

        Nothing is killed here. Memory and the folder are measured at intervals, not at each call.
        """
        limits, now = self._limits, time.monotonic()
        if self._deadline is not None and now >= self._deadline:
            return "seconds"
        is_due = self._several and (now >= self._looked or len(list_processes()) > self._crowd)
        if is_due and (passed := self._look(now)):
            return passed
        if ("folder_bytes" in limits or self._held) and now >= self._sized:
            self._sized = now + SIZE_SECONDS
            # A file that was removed while it is open takes its room until it is closed.
            removed, self._hidden = measure_unnamed_files(self._pids)
            if "folder_bytes" in limits and disk_usage(self._folder) + removed > limits["folder_bytes"]:
                return "folder_bytes"
        return ""

    def _look(self, now: float) -> str:
        """Return `processes` if there are too many, `STOPPED` if one stays stopped, `memory_bytes` for too much, or "".

        Memory has to be passed at two looks in a row, since a fork counts until its `exec`. It keeps the processes in
        `_pids`, and in `_looked` when the next look is due.
        """
        visible, self._pids = len(list_processes()), list_descendants(self._pid)
        # While no more are visible, these are too many only if others have ended meanwhile: the next look sees that.
        self._crowd = visible + max(0, self._limits["processes"] - len(self._pids))
        if len(self._pids) > self._limits["processes"]:
            return "processes"
        if self._stops.last(self._pids, now):
            return STOPPED
        before, self._heavy = self._heavy, bool(self._held) and memory_bytes(self._pids) + self._hidden > self._held
        self._looked = now + max(WATCH_SECONDS / 2, (time.monotonic() - now) / MOST_SHARE)
        return "memory_bytes" if before and self._heavy else ""


class StopDetector:
    """Sees which processes stay stopped: they hold who waits for them, and a watch that is stopped sees no limit."""

    def __init__(self) -> None:
        self._since: dict[int, float] = {}

    def last(self, pids: Iterable[int], now: float) -> bool:
        """Return whether one of these processes was seen stopped at each look for `STOPPED_SECONDS` or longer.

        It keeps since when each is stopped; a process that is seen running starts again.

        Args:
            pids: Of the processes; what was seen of others is forgotten.
            now: The time of this look, in seconds by the caller's clock.
        """
        self._since = {pid: self._since.get(pid, now) for pid in pids if _is_stopped(pid)}
        return any(now - since >= STOPPED_SECONDS for since in self._since.values())


def _is_stopped(pid: int) -> bool:
    """Return whether a process is stopped by a signal (`T`) or by a tracer (`t`); False if it is gone."""
    with contextlib.suppress(OSError), open(f"/proc/{pid}/stat", "rb") as file:
        return file.read().rpartition(b")")[2].split()[0] in (b"T", b"t")
    return False


def list_descendants(pid: int) -> list[int]:
    """Return all descendants of a process; in no order; none where there is no `/proc`."""
    children: dict[int, list[int]] = {}
    for process in list_processes():
        with contextlib.suppress(OSError), open(f"/proc/{process}/stat", "rb") as file:
            # After the name, which may hold anything, come state and parent.
            parent = int(file.read().rpartition(b")")[2].split()[1])
            children.setdefault(parent, []).append(int(process))
    descendants, pending = [], [pid]
    while pending:
        children_of_process = children.get(pending.pop(), [])
        descendants += children_of_process
        pending += children_of_process
    return descendants


def list_processes() -> list[str]:
    """Return the ids of all visible processes; none where there is no `/proc`."""
    return list(filter(str.isdigit, os.listdir("/proc"))) if LINUX else []


def peak_bytes(usage: Any) -> int:
    """Return the most memory that a process had, in bytes: Linux counts it in KiB, macOS in bytes."""
    return int(usage.ru_maxrss) * (1024 if LINUX else 1)


def memory_bytes(pids: Iterable[int]) -> int:
    """Return the bytes of memory that processes hold, in the swap too; what several of them share counts for each.

    What is mapped from files, and processes that are gone, count nothing.
    """
    kib = 0
    for pid in pids:
        with contextlib.suppress(OSError), open(f"/proc/{pid}/status", "rb") as file:  # it is gone by now
            for line in file:
                name, _, value = line.partition(b":")
                if name in _HELD:
                    kib += int(value.split()[0])
    return kib << 10


def measure_unnamed_files(pids: Iterable[int]) -> tuple[int, int]:
    """Measure the regular files that processes have open but no folder has any more, as far as permissions allow.

    Each file counts once.

    Returns:
        Bytes on a disk, and bytes in memory, as `memfd_create` makes them.
    """
    files: dict[tuple[int, int, bool], int] = {}
    for pid in pids:
        with contextlib.suppress(OSError):
            for descriptor in os.listdir(f"/proc/{pid}/fd"):
                path = f"/proc/{pid}/fd/{descriptor}"
                with contextlib.suppress(OSError):
                    facts = os.stat(path)
                    if stat.S_ISREG(facts.st_mode) and not facts.st_nlink:
                        in_memory = os.readlink(path).startswith(_IN_MEMORY)
                        files[facts.st_dev, facts.st_ino, in_memory] = facts.st_blocks * 512
    total = sum(files.values())
    hidden = sum(size for (_, _, in_memory), size in files.items() if in_memory)
    return total - hidden, hidden


def disk_usage(folder: str) -> float:
    """Return the allocated bytes of all that is in a folder, at any depth; infinity if it cannot be read.

    What is gone, or no folder, counts 0, and so do the folder's own blocks; a file with two names in it counts twice.
    Unreadable folders are made readable.
    """
    total, pending = 0.0, [folder]
    while pending:
        path = pending.pop()
        try:
            try:
                in_folder, folders = _scan_folder(path)
            except PermissionError:  # its owner took them away, and this process is the same user's
                os.chmod(path, 0o700)
                in_folder, folders = _scan_folder(path)
        except _GONE:
            continue
        except OSError:  # its name is too long, say
            return float("inf")
        total += in_folder
        pending += folders
    return total


def _scan_folder(folder: str) -> tuple[int, list[str]]:
    """Return the allocated bytes of a folder's entries, and the paths of the folders among them; follows no link."""
    total, folders = 0, []
    with os.scandir(folder) as entries:
        for entry in entries:
            with contextlib.suppress(*_GONE):
                total += entry.stat(follow_symlinks=False).st_blocks * 512
                if entry.is_dir(follow_symlinks=False):
                    folders.append(entry.path)
    return total, folders


def remove_folder(folder: str) -> bool:
    """Remove a folder, unreadable parts too; return whether nothing is left, as when none was there. A link stays."""
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
