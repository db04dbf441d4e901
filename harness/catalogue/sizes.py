"""Sizes: the documented one, and a small one for the simulator where the documented one takes it too long."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache

import numpy as np

from harness.catalogue.data import drawn
from harness.model.case import Arrays, Case, Instance
from harness.model.lazy import Lazy
from harness.model.sizes import OtherSize, Size

__all__ = ["at_sizes", "cut", "drawn_late", "made_late", "with_gaps"]


def at_sizes(make: Callable[[int], Case], constant: str, *, documented: int, small: int) -> Case:
    """A case of a documented size that runs at a small one in the simulator.

    Args:
        make: The case at a size: its grid, tensors, data and claims follow from that, data by `made_late`.
        constant: The `comptime` constant by which the kernel's file states the size. Where the instance does not name
            it, it is the compile-time parameter that a host function is called with.
        documented: Its value in the file.
        small: Its value in the simulator, at which nothing of the kernel goes unseen: several blocks, each edge.
    """
    resized = replace(make(small), resized=OtherSize(constant, small, documented))
    return replace(make(documented), small=resized)


def made_late(**arrays: Callable[[], np.ndarray]) -> Arrays:
    """The inputs of a data set, each made when it is first asked for: who only counts data sets makes none.

    Args:
        arrays: What makes each input, by the name of its tensor.
    """

    def make(name: str) -> np.ndarray:
        array = arrays[name]()
        array.flags.writeable = False
        return array

    return Lazy(arrays, make)


def cut(array: np.ndarray, inputs: Arrays, size: Size) -> np.ndarray:
    """What of an array there is, along each axis, where the inputs of an oracle may have another size."""
    last = int(inputs.get(size.argument, np.asarray(size.most)))
    if size.packed:
        return array.ravel()[: last**array.ndim].reshape((last,) * array.ndim)
    return array[(slice(last),) * array.ndim]


def with_gaps(values: np.ndarray, shape: tuple[int, ...], *, packed: bool = False) -> np.ndarray:
    """Values as the first ones of a result; nobody is to write the others.

    Args:
        values: Of as many axes as the result.
        shape: Of the result.
        packed: Whether they are the first ones in memory, as of a `Size`; else along each axis.
    """
    if values.shape == shape:
        return values
    from numpy import ma  # nobody else needs it

    if packed:
        return with_gaps(values.ravel(), (math.prod(shape),)).reshape(shape)
    whole = ma.masked_array(np.zeros(shape), mask=True)
    whole[tuple(map(slice, values.shape))] = values
    return whole


def drawn_late(
    case: Case, instance: Instance, seed: int | Sequence[int], size: int | None = None, times: float = 1
) -> Arrays:
    """The inputs of a data set that is drawn, all of them when the first is asked for.

    Args:
        case: Says how.
        instance: Takes them.
        seed: The same one draws the same.
        size: What lies past it is NaN: in each row, or in memory where rows are packed. What is updated in place keeps
            its values there: NaN that was written over could not be told.
        times: By which floats are multiplied: a power of two.
    """

    @cache
    def made() -> Arrays:
        inputs = (case.draw or drawn)(instance, np.random.default_rng(seed))
        kept = {tensor.name for tensor in instance.given if tensor.written}
        for name, values in inputs.items():
            if times != 1 and values.dtype.kind == "f":
                values *= values.dtype.type(times)
            if size is not None and name not in kept:
                packed = case.size is not None and case.size.packed
                missing = values.reshape(-1)[size**values.ndim :] if packed else values[..., size:]
                missing[...] = np.nan
            values.flags.writeable = False
        return inputs

    return Lazy((tensor.name for tensor in instance.given), lambda name: made()[name])
