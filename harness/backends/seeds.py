"""In which other orders of its threads the simulator runs a data set."""

from __future__ import annotations

from harness import simt
from harness.backends.base import Request

__all__ = ["seeds_to_try"]

TRIED = 2  # data sets with which an order is tried: each launch more is one that a learner waits for


def seeds_to_try(request: Request) -> tuple[int, ...]:
    """Return the seeds of the other orders to try: all, or where there are many data sets each with `TRIED` of them.

    At a further launch one is tried, with one data set: the documented launch tries them all.
    """
    if request.fill == "zero":  # only to be printed: the same data follows on poison
        return ()
    datasets, seeds = [dataset.name for dataset in request.instance.datasets], simt.SEEDS
    if request.case.redefined:
        return seeds[:1] if request.dataset.name == datasets[0] else ()
    if len(datasets) < len(seeds) or request.dataset.name not in datasets:
        return seeds
    place = datasets.index(request.dataset.name)
    return (seeds[place % len(seeds)],) if place < TRIED * len(seeds) else ()
