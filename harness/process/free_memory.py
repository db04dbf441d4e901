"""Find the free memory of this machine or its container, and how many jobs it and the processors can run at once."""

from __future__ import annotations

import os
from pathlib import Path

from harness.process.processors import count_processors

__all__ = ["choose_concurrency", "find_free_bytes"]

MEMORY = Path("/proc/meminfo")
GROUPS = Path("/sys/fs/cgroup")
EACH_BYTES = 1 << 30  # that a process of a run may come to hold, with what it starts
# Of a control group, version 2 then 1: its limit and what it uses.
_LIMITS = (("memory.max", "memory.current"), ("memory/memory.limit_in_bytes", "memory/memory.usage_in_bytes"))


def find_free_bytes(memory: Path = MEMORY, groups: Path = GROUPS) -> int | None:
    """Return the bytes of memory that this process can still take, or None if nothing says so.

    The least of what the system and the container's limits leave, never below 0. Where the system does not say what it
    leaves, all of the machine's memory counts.

    Args:
        memory: The operating system's own account, in the form of `/proc/meminfo`.
        groups: The folder of the container's control groups.
    """
    free = []
    try:
        facts = dict(line.split(":", 1) for line in memory.read_text().splitlines() if ":" in line)
        free.append(int(facts["MemAvailable"].split()[0]) * 1024)
    except (OSError, KeyError, ValueError):
        names = os.sysconf_names
        if "SC_PHYS_PAGES" in names and "SC_PAGE_SIZE" in names:
            free.append(os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE"))
    for limit, used in _LIMITS:
        try:
            free.append(int((groups / limit).read_text()) - int((groups / used).read_text()))
        except (OSError, ValueError):  # no such group, or its limit is `max`
            continue
    return max(0, min(free)) if free else None


def choose_concurrency(items: int, requested: int | None = None) -> int:
    """Return how many of `items` things are done at once: `requested`, or else as many as there are processors.

    At least one, at most `items`, and so few that each has 1 GiB of the free memory, whatever was requested.
    """
    jobs, free = min(items, requested or count_processors()), find_free_bytes()
    return max(1, jobs if free is None else min(jobs, free // EACH_BYTES))
