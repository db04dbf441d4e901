"""Building blocks of data sets: one-hot probes, seeded fractions and integers, infinities.

A kernel that goes through integers is right on whole numbers, so data of floats holds fractions. They are multiples of
1/64: sums of them are exact in float32, in any order, while the magnitudes that are added stay at 2^24 / 64 or below.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from harness.model.case import Instance

__all__ = [
    "EXACT",
    "UNIT",
    "drawn",
    "float_list",
    "infinities",
    "one_hot",
    "powers_of_two",
    "random_fractions",
    "random_integers",
]

EXACT = 2**24  # whole numbers up to this are exact in float32, and as many times any power of two
UNIT = 1 / 64
_LARGEST = 2**14  # units: what a learner reads of a wrong value stays short


def one_hot(shape: tuple[int, ...], index: int, value: float = 1.0) -> np.ndarray:
    """Zeros with one `value` at the flat `index`; float32 of that shape."""
    array = np.zeros(shape, np.float32)
    array.flat[index] = value
    return array


def random_fractions(shape: tuple[int, ...], seed: int, addends: int | None = None) -> np.ndarray:
    """Odd multiples of `UNIT` of both signs below 256 in magnitude, as float32: none is whole.

    Args:
        shape: Row-major.
        seed: The same one draws the same.
        addends: How many a sum takes in a row, all unless told: their magnitudes add up to at most `EXACT` units.
            Where there are too many for that, most are zero.
    """
    generator = np.random.default_rng(seed)
    values = np.zeros(math.prod(shape), np.float32)
    addends = addends or values.size
    some = values[:: -(-addends // EXACT)]
    half = (min(_LARGEST, max(1, EXACT // addends)) + 1) // 2
    some[:] = generator.integers(-half, half, some.size) * 2 + 1
    values *= np.float32(UNIT)
    return values.reshape(shape)


def random_integers(shape: tuple[int, ...], seed: int, bound: int = 1000) -> np.ndarray:
    """Integers of both signs below `bound` in magnitude, as float32.

    Sums of up to 2^24 / bound of them are exact in float32, in any order.
    """
    generator = np.random.default_rng(seed)
    return generator.integers(-bound + 1, bound, shape).astype(np.float32)


def drawn(instance: Instance, generator: np.random.Generator) -> dict[str, np.ndarray]:
    """Inputs for a case that has no way of its own to draw them: fractions, or whole numbers for integers."""
    return {
        tensor.name: (random_fractions if tensor.dtype.kind == "f" else random_integers)(
            tensor.shape, int(generator.integers(1 << 32))
        ).astype(tensor.dtype)
        for tensor in instance.given
    }


def powers_of_two(shape: tuple[int, ...]) -> np.ndarray:
    """1, 2, 4, ...: a sum of them tells which elements were added, and how often."""
    return (2.0 ** np.arange(np.prod(shape))).reshape(shape).astype(np.float32)


def infinities(values: np.ndarray, places: dict[int, float]) -> np.ndarray:
    """A copy of `values` with infinities at flat indices."""
    array = np.array(values, np.float32)
    for index, value in places.items():
        array.flat[index] = value
    return array


def float_list(values: np.ndarray | Sequence[float]) -> str:
    """Values as the documented programs print them: `[1.0, 0.0, 3.0]`."""
    return "[" + ", ".join(repr(float(value)) for value in np.ravel(values)) + "]"
