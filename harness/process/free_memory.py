"""How much memory this machine still has, as the operating system and the groups of a container account for it."""

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

    The least of what the system and the container's limits leave, never below 0; without `meminfo` all that there is.

    Args:
        memory: The operating system's own account.
        groups: Where the limits of a container are told.
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
    """Return how many of some items are done at once: as many as there are processors for, unless told, and memory.

    At least one; each is to have 1 GiB of the free memory, whatever was requested.
    """
    jobs, free = min(items, requested or count_processors()), find_free_bytes()
    return max(1, jobs if free is None else min(jobs, free // EACH_BYTES))
