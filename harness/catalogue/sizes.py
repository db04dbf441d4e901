"""Sizes: the documented one, and a small one for the simulator where the documented one takes it too long."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from harness.model.case import Arrays, Case
from harness.model.lazy import Lazy
from harness.model.sizes import SmallSize

__all__ = ["at_sizes", "made_late"]


def at_sizes(make: Callable[[int], Case], constant: str, *, documented: int, small: int) -> Case:
    """A case of a documented size that runs at a small one in the simulator.

    Args:
        make: The case at a size: its grid, tensors, data and claims follow from that, data by `made_late`.
        constant: The `comptime` constant by which the kernel's file states the size. Where the instance does not name
            it, it is the compile-time parameter that a host function is called with.
        documented: Its value in the file.
        small: Its value in the simulator, at which nothing of the kernel goes unseen: several blocks, each edge.
    """
    resized = replace(make(small), resized=SmallSize(constant, small, documented))
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
