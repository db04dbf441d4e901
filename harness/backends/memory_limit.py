"""Whether a launch's buffers fit into this machine's memory, known before any is taken.

Taking more than there is does not fail: the operating system kills a process
later, and not always the one that asked.
"""

from __future__ import annotations

import os
from pathlib import Path

from harness.backends.base import Failure, Request

__all__ = ["free_bytes", "too_large"]

MEMORY = Path("/proc/meminfo")
GROUPS = Path("/sys/fs/cgroup")
# Of a control group, version 2 then 1: its limit and what it uses.
_LIMITS = (("memory.max", "memory.current"), ("memory/memory.limit_in_bytes", "memory/memory.usage_in_bytes"))


def free_bytes(memory: Path = MEMORY, groups: Path = GROUPS) -> int | None:
    """The memory that this process can still take, in bytes; None where nothing says so.

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


def too_large(request: Request, copies: int, free: int | None = None) -> Failure | None:
    """Why a launch is not even tried, or None when its buffers fit.

    Args:
        request: What is asked for.
        copies: How many bytes the launch takes here for each byte of its buffers.
        free: The memory that is left, in bytes; measured unless told.
    """
    wanted = sum(tensor.elements * tensor.dtype.itemsize for tensor in request.instance.tensors)
    if wanted < 1 << 28:  # never the reason, and the accounts take longer to read than a launch
        return None
    left = free_bytes() if free is None else free
    if left is None or wanted * copies <= left:
        return None
    return Failure(
        "LAUNCH_ERROR",
        f"{request.case.named} needs {_size(wanted * copies)} of memory "
        f"({copies} × {_size(wanted)} of buffers), but {_size(left)} is free",
    )


def _size(count: int) -> str:
    for exponent, unit in ((40, "TiB"), (30, "GiB")):
        if count >= 1 << exponent:
            return f"{count / (1 << exponent):.1f} {unit}"
    return f"{count / (1 << 20):.0f} MiB"
