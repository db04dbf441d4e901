"""Pair a case of the documented size with a small one for the simulator; make inputs lazily, cut and pad arrays."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache

import numpy as np

from harness.catalogue.data import DEFAULT_DRAW
from harness.model.case import Arrays, Case, Instance
from harness.model.lazy import LazyMapping
from harness.model.sizes import OtherSize, Size

__all__ = ["at_sizes", "cut_to_size", "draw_lazily", "lazy_inputs", "pad_masked"]


def at_sizes(make: Callable[[int], Case], constant: str, *, documented: int, small: int) -> Case:
    """Make a case of the documented size that runs at a small size in the simulator.

    Args:
        make: Makes the case at a size; its grid, tensors, data (by `lazy_inputs`) and claims follow from that.
        constant: The `comptime` constant of the kernel's file that states the size. If the instance does not name it,
            it is the compile-time parameter that a host function is called with.
        documented: Its value in the file.
        small: Its value in the simulator: large enough for several blocks and every edge.
    """
    resized = replace(make(small), resized=OtherSize(constant, small, documented))
    return replace(make(documented), small=resized)


def lazy_inputs(**arrays: Callable[[], np.ndarray]) -> Arrays:
    """Return the inputs of a data set as a mapping that computes each array when it is first read; arrays are
    read-only.

    Args:
        arrays: The function that makes each input, by tensor name.
    """

    def make(name: str) -> np.ndarray:
        array = arrays[name]()
        array.flags.writeable = False
        return array

    return LazyMapping(arrays, make)


def cut_to_size(array: np.ndarray, inputs: Arrays, size: Size) -> np.ndarray:
    """Return the first n elements of an array along each axis; n is the scalar among `inputs` that states the size.

    Without that scalar n is `size.most`. If rows are packed, the result is the first part of memory, n long in each
    axis.
    """
    last = int(inputs.get(size.argument, np.asarray(size.most)))
    if size.packed:
        return array.ravel()[: last**array.ndim].reshape((last,) * array.ndim)
    return array[(slice(last),) * array.ndim]


def pad_masked(values: np.ndarray, shape: tuple[int, ...], *, packed: bool = False) -> np.ndarray:
    """Return a result of a larger shape with values at its beginning; the rest is masked, so that nothing may write it.

    Args:
        values: The values, with as many axes as the result; returned as they are if they have its shape.
        shape: The shape of the result.
        packed: Whether the values are the first ones in memory, as in `Size`; otherwise the first ones along each axis.
    """
    if values.shape == shape:
        return values
    from numpy import ma  # nobody else needs it

    if packed:
        return pad_masked(values.ravel(), (math.prod(shape),)).reshape(shape)
    result = ma.masked_array(np.zeros(shape), mask=True)
    result[tuple(map(slice, values.shape))] = values
    return result


def draw_lazily(
    case: Case, instance: Instance, seed: int | Sequence[int], size: int | None = None, times: float = 1
) -> Arrays:
    """Return random inputs of a data set; all of them are drawn when the first one is read; arrays are read-only.

    Args:
        case: The case, whose `draw` is used.
        instance: The instance that takes the inputs.
        seed: The same seed draws the same.
        size: Elements past this size are NaN: of each row, or in memory if rows are packed. Tensors updated in place
            keep their values there, since a NaN that was overwritten could not be noticed. The scalar that states
            the size is not among the inputs.
        times: A power of two that multiplies floats.
    """

    @cache
    def make_all() -> Arrays:
        inputs = (case.draw or DEFAULT_DRAW)(instance, np.random.default_rng(seed))
        remaining = {tensor.name for tensor in instance.initialized if tensor.written}
        for name, values in inputs.items():
            if times != 1 and values.dtype.kind == "f":
                values *= values.dtype.type(times)
            if size is not None and name not in remaining:
                packed = case.size is not None and case.size.packed
                missing = values.reshape(-1)[size**values.ndim :] if packed else values[..., size:]
                missing[...] = np.nan
            values.flags.writeable = False
        return inputs

    return LazyMapping((tensor.name for tensor in instance.initialized), lambda name: make_all()[name])
