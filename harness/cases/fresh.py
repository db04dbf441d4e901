"""Add randomly drawn data sets to a case's documented ones, from a run's seed: other values, sizes and scalars.

A kernel that looks its answers up in a table of the documented data is right on that data alone. The case
says how its data comes about. Where a kernel takes a size, it is drawn too; what lies past it is NaN. So are the other
numbers that it takes. Where floats may be drawn in any unit, one set has them finer and one larger than all other
data, so that no integer holds both.
"""

from __future__ import annotations

import secrets
import zlib
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from harness.catalogue.data import DEFAULT_DRAW, UNIT, ScalableDraw
from harness.catalogue.sizes import draw_lazily
from harness.model.case import Case, Dataset, Instance, ScalarArgument
from harness.model.report import DatasetReport

__all__ = ["add_fresh_data", "is_fresh", "new_seed"]

DRAWN = 2  # of full size, and as many of other sizes
# By which a set's floats are multiplied: those of 1/64 are then in units of 2^-20, which is as fine as they may be,
# since a whole number up to 10 is added to some without being rounded.
_FINER = 2**-14
_FRESH = "fresh"
_BETRAYS = "a table of the documented answers"


def new_seed() -> int:
    """Return a random seed of 48 bits that nobody can foresee."""
    return secrets.randbits(48)


def add_fresh_data(case: Case, instance: Instance, seed: int | None) -> Instance:
    """Return the instance with fresh data sets after its own: two, and two of other sizes if the case takes a size.

    Inputs of fresh data sets are drawn when they are read. Cases that the documents do not have, and further cases with
    other constants, get no fresh data.

    Args:
        case: The case.
        instance: Its instance.
        seed: The same one draws the same data; None for no fresh data.
    """
    if seed is None or not case.documented or case.redefined:
        return instance
    of_case = [seed, zlib.crc32(case.id.encode())]
    sizes: list[int | None] = [None] * DRAWN
    if case.size:
        several = np.arange(case.size.least, case.size.most)
        sizes += np.random.default_rng(of_case).choice(several, min(DRAWN, several.size), replace=False).tolist()
    fresh = (_draw_dataset(case, instance, [*of_case, number], size) for number, size in enumerate(sizes, 1))
    return replace(instance, datasets=(*instance.datasets, *fresh))


def is_fresh(dataset: DatasetReport) -> bool:
    """Return True if a data set's report is about fresh data."""
    return dataset.name.startswith(f"{_FRESH}-")


def _draw_dataset(case: Case, instance: Instance, seed: list[int], size: int | None) -> Dataset:
    generator = np.random.default_rng([*seed, 1])  # another than that of the inputs
    scalars = {
        scalar.name: value
        for scalar in instance.scalars
        if case.size is None or scalar.name != case.size.argument
        if (value := _draw_scalar(scalar, instance.datasets, generator)) is not None
    }
    if size is None or case.size is None:
        inputs = draw_lazily(case, instance, seed, times=_choose_scale(case, seed[-1]))
        return Dataset(f"{_FRESH}-{seed[-1]}", inputs, _BETRAYS, scalars)
    inputs, scalars = draw_lazily(case, instance, seed, size), {**scalars, case.size.argument: size}
    return Dataset(f"{_FRESH}-size-{size}", inputs, "a kernel that knows one size", scalars)


def _draw_scalar(scalar: ScalarArgument, datasets: Sequence[Dataset], generator: np.random.Generator) -> float | None:
    """Draw a value for a scalar: of a float an odd multiple of `UNIT`, of either sign, below the documented value; of
    an integer one that some data set has. None if no data set changes the integer, or the float is below two units.
    """
    if scalar.dtype.kind == "f":
        half = int(abs(scalar.value) / UNIT) // 2
        return float(generator.integers(-half, half) * 2 + 1) * UNIT if half else None
    values = sorted({dataset.scalars[scalar.name] for dataset in datasets if scalar.name in dataset.scalars})
    return values[generator.integers(len(values))] if values else None


def _choose_scale(case: Case, number: int) -> float:
    """Return the factor for the floats of a fresh data set by its number: below 1 for number 1, above for others.

    It is 1 if the floats may not be scaled, and for other numbers than 1 if any result has an absolute tolerance.
    """
    draw = case.draw or DEFAULT_DRAW
    if not isinstance(draw, ScalableDraw):
        return 1.0
    if number == 1:
        return _FINER
    # A bound that is absolute holds for smaller data, and not for larger.
    return 1.0 if any(bound.atol for bound in case.within.values()) else draw.largest / draw.unit
