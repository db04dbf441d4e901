"""For a scheduler's `DASK_DISTRIBUTED__SCHEDULER__PRELOAD`: one that listens to everybody would say this of itself.

It does not really: a test must not open a port to others behind which anybody runs code.
"""

from __future__ import annotations


def dask_setup(scheduler):
    """Called by Dask before it listens."""
    scheduler._address = "tcp://203.0.113.1:8786"
