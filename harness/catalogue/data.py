"""Make data sets: one-hot probes, random fractions, factors, integers, infinities; format results as cases print.

A kernel that converts to integers is right on whole numbers, so float data holds fractions. They are multiples of 1/64:
their sums are exact in float32, in any order, while the magnitudes that are added stay at 2^24 / 64 or below.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from harness.model.case import Dataset, Instance

__all__ = [
    "DEFAULT_DRAW",
    "EXACT",
    "FACTOR_DRAW",
    "UNIT",
    "ScalableDraw",
    "draw_independent",
    "format_floats",
    "make_dataset",
    "make_datasets",
    "one_hot",
    "powers_of_two",
    "print_out_and_expected",
    "random_factors",
    "random_fractions",
    "random_integers",
    "with_infinities",
]

EXACT = 2**24  # whole numbers up to this are exact in float32, and as many times any power of two
UNIT = 1 / 64
_LARGEST = 2**14  # units: what a learner reads of a wrong value stays short


def one_hot(shape: tuple[int, ...], index: int, value: float = 1.0) -> np.ndarray:
    """Return float32 zeros of a shape with one `value` at the flat `index`."""
    array = np.zeros(shape, np.float32)
    array.flat[index] = value
    return array


def random_fractions(shape: tuple[int, ...], seed: int, addends: int | None = None) -> np.ndarray:
    """Draw odd multiples of `UNIT` of both signs below 256 in magnitude, as float32: none is whole.

    Args:
        shape: Row-major.
        seed: The same seed draws the same.
        addends: How many consecutive elements a sum adds, all if None; their magnitudes add up to at most `EXACT`
            units. If that is less than a unit each, elements at equal distances are drawn, and the others are zero.
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
    """Draw odd multiples of 1/4 of both signs below 8 in magnitude, as float32: none is whole.

    Sums of up to 2^14 products of two of them are exact, in any order.
    """
    values = np.random.default_rng(seed).integers(-16, 16, shape).astype(np.float32)
    values *= 1 / 2
    values += 1 / 4
    return values


def random_integers(shape: tuple[int, ...], seed: int, bound: int = 1000) -> np.ndarray:
    """Draw integers from `-bound + 1` to `bound - 1`, zero included, as float32.

    Sums of up to 2^24 / bound of them are exact in float32, in any order.
    """
    generator = np.random.default_rng(seed)
    return generator.integers(-bound + 1, bound, shape).astype(np.float32)


@dataclass(frozen=True, slots=True)
class ScalableDraw:
    """A way to draw inputs whose floats may all be multiplied by one power of two.

    Moving, comparing, adding, multiplying and dividing them rounds as before, and a whole number up to 10 may be added
    to each.

    Attributes:
        draw: As in `Case`.
        unit: The unit of which floats are odd multiples.
        largest: The largest unit that they may have: whole numbers up to 10 vanish beside it, in float64 as in float32,
            sums stay exact, and no 64-bit integer holds them.
    """

    draw: Callable[[Instance, np.random.Generator], dict[str, np.ndarray]]
    unit: float = UNIT
    largest: float = 2.0**60

    def __call__(self, instance: Instance, generator: np.random.Generator) -> dict[str, np.ndarray]:
        """Draw inputs by name for an instance."""
        return self.draw(instance, generator)


def draw_independent(
    random: Callable[[tuple[int, ...], int], np.ndarray], instance: Instance, generator: np.random.Generator
) -> dict[str, np.ndarray]:
    """Draw independent inputs, each by `random`; whole numbers for integer tensors."""
    return {
        tensor.name: (random if tensor.dtype.kind == "f" else random_integers)(
            tensor.shape, int(generator.integers(1 << 32))
        ).astype(tensor.dtype, copy=False)
        for tensor in instance.initialized
    }


# Inputs for a case that has no way of its own to draw them; and for one that sums products of them.
DEFAULT_DRAW = ScalableDraw(partial(draw_independent, random_fractions))
# 2^14 products of factors are below 2^128.
FACTOR_DRAW = ScalableDraw(partial(draw_independent, random_factors), unit=1 / 4, largest=2.0**50)


def make_dataset(
    tensor: str, name: str, values: np.ndarray | Sequence[float], catches: str, **scalars: float
) -> Dataset:
    """Make a data set of one input."""
    return Dataset(name, {tensor: np.array(values, np.float32)}, catches, scalars)


def make_datasets(
    documented: Mapping[str, np.ndarray],
    seed: int,
    random: Callable[[tuple[int, ...], int], np.ndarray] = random_fractions,
) -> tuple[Dataset, ...]:
    """Make data sets for a case with independent inputs: `documented`, `random-SEED` and `opposite`.

    `opposite` has the random inputs, negated and reversed along their first axis. Several inputs have two more data
    sets each: in `NAME-alone` the input NAME is random and the others are zero; in `NAME-first` the others are random,
    and the input NAME is zero but for its first element, 1.

    Args:
        documented: The documents' own data, by tensor name.
        seed: The seed of the random data.
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
    """Return 1, 2, 4, ... in a shape: a sum of them shows which elements were added, and how often."""
    return (2.0 ** np.arange(np.prod(shape))).reshape(shape).astype(np.float32)


def with_infinities(values: np.ndarray, places: dict[int, float]) -> np.ndarray:
    """Return a copy of `values` in float32 with other values, such as infinities, at the flat indices in `places`."""
    array = np.array(values, np.float32)
    for index, value in places.items():
        array.flat[index] = value
    return array


def print_out_and_expected(_width: int, actual: np.ndarray, expected: np.ndarray, _ok: bool) -> Sequence[str]:
    """Return the two lines that most of the documented programs print."""
    return (f"out: {_format_host_buffer(actual)}", f"expected: {_format_host_buffer(expected)}")


def _format_host_buffer(values: np.ndarray) -> str:
    """Format values as Mojo prints a `HostBuffer`: of a thousand and more only three at each end."""
    if values.size < 1000:
        return f"HostBuffer({format_floats(values)})"
    first, last = format_floats(np.ravel(values)[:3]), format_floats(np.ravel(values)[-3:])
    return f"HostBuffer({first[:-1]}, ..., {last[1:]})"


def format_floats(values: np.ndarray | Sequence[float]) -> str:
    """Format values as the documented programs print them, each as short as a float32 can be: `[1.0, 3.3333333]`."""
    return "[" + ", ".join(str(np.float32(value)) for value in np.ravel(values)) + "]"
