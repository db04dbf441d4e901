"""Data that nobody could know before: drawn for a run from its seed, beside the documented sets.

A kernel that looks its answers up in a table of the documented data is right on that data alone. The case
says how its data comes about. Where a kernel takes a size, it is drawn too; what lies past it is NaN.
"""

from __future__ import annotations

import secrets
import zlib
from dataclasses import replace

import numpy as np

from harness.catalogue.data import drawn
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
    """The instance with data drawn from a seed behind its own; unchanged for a case that is no puzzle's.

    Args:
        seed: The same one draws the same data.
    """
    if not case.documented:
        return instance
    generator = np.random.default_rng([seed, zlib.crc32(case.id.encode())])
    fresh = [_drawn(case, instance, generator, f"{_FRESH}-{number}", None) for number in range(1, DRAWN + 1)]
    if case.size and case.size.most > 1:
        several = generator.choice(np.arange(1, case.size.most), min(DRAWN, case.size.most - 1), replace=False)
        fresh += [_drawn(case, instance, generator, f"{_FRESH}-size-{size}", int(size)) for size in several]
    return replace(instance, datasets=(*instance.datasets, *fresh))


def is_fresh(dataset: DatasetReport) -> bool:
    """Whether it is the verdict on data that was drawn."""
    return dataset.name.startswith(f"{_FRESH}-")


def instance_of(case: Case, width: int, seed: int | None) -> Instance:
    """What a case is run on: at a warp width, with data drawn from a seed, if there is one, behind its own."""
    instance = case.instance(width)
    return instance if seed is None else with_fresh_data(case, instance, seed)


def _drawn(case: Case, instance: Instance, generator: np.random.Generator, name: str, size: int | None) -> Dataset:
    inputs = (case.draw or drawn)(instance, generator)
    if size is None or case.size is None:
        return Dataset(name, inputs, _BETRAYS)
    for values in inputs.values():
        values[..., size:] = np.nan
    return Dataset(name, inputs, "a kernel that knows one size", {case.size.argument: size})
