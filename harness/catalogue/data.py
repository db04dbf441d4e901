"""Building blocks of data sets: one-hot probes, seeded fractions and integers, infinities.

A kernel that goes through integers is right on whole numbers, so data of floats holds fractions. They are multiples of
1/64: sums of them are exact in float32, in any order, while the magnitudes that are added stay at 2^24 / 64 or below.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from harness.model.case import Dataset, Instance

__all__ = [
    "EXACT",
    "UNIT",
    "InOneUnit",
    "drawn",
    "each",
    "factors",
    "float_list",
    "infinities",
    "one_hot",
    "one_input",
    "out_and_expected",
    "patterns",
    "powers_of_two",
    "random_factors",
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


def random_factors(shape: tuple[int, ...], seed: int) -> np.ndarray:
    """Odd multiples of 1/4 of both signs below 8 in magnitude, as float32: none is whole.

    Sums of up to 2^14 products of two of them are exact, in any order.
    """
    values = np.random.default_rng(seed).integers(-16, 16, shape).astype(np.float32)
    values *= 1 / 2
    values += 1 / 4
    return values


def random_integers(shape: tuple[int, ...], seed: int, bound: int = 1000) -> np.ndarray:
    """Integers of both signs below `bound` in magnitude, as float32.

    Sums of up to 2^24 / bound of them are exact in float32, in any order.
    """
    generator = np.random.default_rng(seed)
    return generator.integers(-bound + 1, bound, shape).astype(np.float32)


@dataclass(frozen=True, slots=True)
class InOneUnit:
    """A way to draw inputs, all floats of which may be multiplied by one power of two.

    What is moved, compared, added, multiplied or divided of them is rounded as it was before, and a whole number up to
    10 may be added to each.

    Attributes:
        draw: As of a `Case`.
        unit: Of which floats are odd multiples.
        largest: The largest unit that they may have: whole numbers up to 10 vanish beside it, in float64 as in float32,
            sums stay exact, and no integer of 64 bits holds them.
    """

    draw: Callable[[Instance, np.random.Generator], dict[str, np.ndarray]]
    unit: float = UNIT
    largest: float = 2.0**60

    def __call__(self, instance: Instance, generator: np.random.Generator) -> dict[str, np.ndarray]:
        """Draws."""
        return self.draw(instance, generator)


def each(
    random: Callable[[tuple[int, ...], int], np.ndarray], instance: Instance, generator: np.random.Generator
) -> dict[str, np.ndarray]:
    """Inputs that have nothing to do with one another, each made by `random`; whole numbers for integers."""
    return {
        tensor.name: (random if tensor.dtype.kind == "f" else random_integers)(
            tensor.shape, int(generator.integers(1 << 32))
        ).astype(tensor.dtype, copy=False)
        for tensor in instance.given
    }


# Inputs for a case that has no way of its own to draw them; and for one that sums products of them.
drawn = InOneUnit(partial(each, random_fractions))
factors = InOneUnit(partial(each, random_factors), unit=1 / 4, largest=2.0**50)  # 2^14 products are below 2^128


def one_input(tensor: str, name: str, values: np.ndarray | Sequence[float], catches: str, **scalars: float) -> Dataset:
    """A data set of one input."""
    return Dataset(name, {tensor: np.array(values, np.float32)}, catches, scalars)


def patterns(
    documented: Mapping[str, np.ndarray],
    seed: int,
    random: Callable[[tuple[int, ...], int], np.ndarray] = random_fractions,
) -> tuple[Dataset, ...]:
    """Data sets for a case whose inputs have nothing to do with one another.

    Args:
        documented: The documents' own data, by the name of the tensor.
        seed: Of what is random.
        random: Makes an array of a shape from a seed, such that every result is exact.
    """
    shapes = {name: np.asarray(array).shape for name, array in documented.items()}
    apart = {name: random(shape, seed + 100 * place) for place, (name, shape) in enumerate(shapes.items())}
    sets = [
        Dataset(
            "documented",
            {name: np.array(array, np.float32) for name, array in documented.items()},
            "the documents' own data",
        ),
        Dataset(f"random-{seed}", apart, "inputs taken for one another, and anything that a pattern hides"),
        Dataset("opposite", {name: -array[::-1] for name, array in apart.items()}, "a result that drops the negative"),
    ]
    for name, shape in shapes.items() if len(shapes) > 1 else ():
        alone = {other: array if other == name else np.zeros_like(array) for other, array in apart.items()}
        sets.append(Dataset(f"{name}-alone", alone, f"a result that takes another input than {name}"))
        first = {other: array.copy() for other, array in apart.items()}
        first[name] = one_hot(shape, 0)
        sets.append(Dataset(f"{name}-first", first, f"an element of {name} in the wrong place"))
    return tuple(sets)


def powers_of_two(shape: tuple[int, ...]) -> np.ndarray:
    """1, 2, 4, ...: a sum of them tells which elements were added, and how often."""
    return (2.0 ** np.arange(np.prod(shape))).reshape(shape).astype(np.float32)


def infinities(values: np.ndarray, places: dict[int, float]) -> np.ndarray:
    """A copy of `values` with infinities at flat indices."""
    array = np.array(values, np.float32)
    for index, value in places.items():
        array.flat[index] = value
    return array


def out_and_expected(_width: int, got: np.ndarray, expected: np.ndarray, _ok: bool) -> Sequence[str]:
    """The two lines that most of the documented programs print."""
    return (f"out: {_host_buffer(got)}", f"expected: {_host_buffer(expected)}")


def _host_buffer(values: np.ndarray) -> str:
    """Values as Mojo prints a `HostBuffer`: of a thousand and more both ends."""
    if values.size < 1000:
        return f"HostBuffer({float_list(values)})"
    first, last = float_list(np.ravel(values)[:3]), float_list(np.ravel(values)[-3:])
    return f"HostBuffer({first[:-1]}, ..., {last[1:]})"


def float_list(values: np.ndarray | Sequence[float]) -> str:
    """Values as the documented programs print them, each as short as a float32 can be: `[1.0, 3.3333333]`."""
    return "[" + ", ".join(str(np.float32(value)) for value in np.ravel(values)) + "]"
