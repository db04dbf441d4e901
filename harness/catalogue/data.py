"""Building blocks of data sets: one-hot probes, seeded integers, infinities."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

__all__ = ["float_list", "infinities", "one_hot", "powers_of_two", "random_integers"]


def one_hot(shape: tuple[int, ...], index: int, value: float = 1.0) -> np.ndarray:
    """Zeros with one `value` at the flat `index`; float32 of that shape."""
    array = np.zeros(shape, np.float32)
    array.flat[index] = value
    return array


def random_integers(shape: tuple[int, ...], seed: int, bound: int = 1000) -> np.ndarray:
    """Integers of both signs below `bound` in magnitude, as float32.

    Sums of up to 2^24 / bound of them are exact in float32, in any order.
    """
    generator = np.random.default_rng(seed)
    return generator.integers(-bound + 1, bound, shape).astype(np.float32)


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
