"""Data that nobody could know before: drawn for a run from its seed, beside the documented sets.

A kernel that looks its answers up in a table of the documented data is right on that data alone. The case
says how its data comes about. Where a kernel takes a size, it is drawn too; what lies past it is NaN.
"""

from __future__ import annotations

import secrets
import zlib
from dataclasses import replace

import numpy as np

from harness.catalogue.sizes import drawn_late
from harness.model.case import Case, Dataset, Instance
from harness.model.report import DatasetReport

__all__ = ["instance_of", "is_fresh", "new_seed", "with_fresh_data"]

DRAWN = 2  # of full size, and as many of other sizes
_FRESH = "fresh"
_BETRAYS = "a table of the documented answers"


def new_seed() -> int:
    """A seed that nobody can foresee."""
    return secrets.randbits(48)


def with_fresh_data(case: Case, instance: Instance, seed: int) -> Instance:
    """The instance with data of a seed behind its own, each drawn when it is run; unchanged for no puzzle's case.

    Args:
        seed: The same one draws the same data.
    """
    if not case.documented:
        return instance
    of_case = [seed, zlib.crc32(case.id.encode())]
    sizes: list[int | None] = [None] * DRAWN
    if case.size and case.size.most > 1:
        several = np.arange(1, case.size.most)
        sizes += np.random.default_rng(of_case).choice(several, min(DRAWN, several.size), replace=False).tolist()
    fresh = (_drawn(case, instance, [*of_case, number], size) for number, size in enumerate(sizes, 1))
    return replace(instance, datasets=(*instance.datasets, *fresh))


def is_fresh(dataset: DatasetReport) -> bool:
    """Whether it is the verdict on data that was drawn."""
    return dataset.name.startswith(f"{_FRESH}-")


def instance_of(case: Case, width: int, seed: int | None) -> Instance:
    """What a case is run on: at a warp width, with data drawn from a seed, if there is one, behind its own."""
    instance = case.instance(width)
    return instance if seed is None else with_fresh_data(case, instance, seed)


def _drawn(case: Case, instance: Instance, seed: list[int], size: int | None) -> Dataset:
    inputs = drawn_late(case, instance, seed, size)
    if size is None or case.size is None:
        return Dataset(f"{_FRESH}-{seed[-1]}", inputs, _BETRAYS)
    return Dataset(f"{_FRESH}-size-{size}", inputs, "a kernel that knows one size", {case.size.argument: size})
