"""How many processors this process may use."""

import os

__all__ = ["processors"]


def processors() -> int:
    """Those that the operating system lets it run on, where it says so; else all."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
