"""Whether this system keeps a limit on memory (set, then read back) and hands over orphans (asked, not tried)."""

from __future__ import annotations

import ctypes
import resource

from harness.process import reaper

__all__ = ["hands_over_orphans", "limits_memory"]

_PR_GET_CHILD_SUBREAPER = 37
_TRIED_BYTES = 4 << 30  # a compiler's limit


def limits_memory() -> bool:
    """Return whether a limit on a process's memory is kept: set for a moment, it can be read again.

    True without a try if one is set already. The limit of this process is restored.
    """
    kind = reaper.MEMORY
    soft, hard = resource.getrlimit(kind)
    if soft != resource.RLIM_INFINITY:
        return True
    tried = _TRIED_BYTES if hard == resource.RLIM_INFINITY else min(_TRIED_BYTES, hard)
    try:
        resource.setrlimit(kind, (tried, hard))
        return resource.getrlimit(kind)[0] == tried
    except (OSError, ValueError):
        return False
    finally:
        resource.setrlimit(kind, (soft, hard))


def hands_over_orphans() -> bool:
    """Return whether a process of ours can become the parent of orphans below it, and so find and end them.

    It only asks whether `prctl` knows child subreapers, and changes nothing. False outside Linux.
    """
    answer: object = reaper.find_prctl()(_PR_GET_CHILD_SUBREAPER, ctypes.byref(ctypes.c_int()), 0, 0, 0)
    return answer == 0
