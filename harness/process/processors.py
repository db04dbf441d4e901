"""Count the processors that this process may use, or all of the machine where the system does not say."""

import os

__all__ = ["count_processors"]


def count_processors() -> int:
    """Return the number of processors that this process may use, or of all if the system does not say."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
