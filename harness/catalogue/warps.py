"""Cases whose blocks are single warps that exchange `input` for `output`: launches, data, printed lines, promises."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

import numpy as np

from harness.catalogue.data import float_list, one_input
from harness.catalogue.further import other_launch, with_further
from harness.catalogue.promises import NO_COMMUNICATION, WRITTEN_ONCE
from harness.model.case import Arrays, Case, CounterClaim, Dataset, Instance, Kernel, ScalarArgument, TensorArgument

__all__ = [
    "ALONE",
    "LARGER",
    "NO_BARRIER",
    "NO_SHARED_MEMORY",
    "by_warp",
    "data",
    "instance",
    "launch",
    "lines",
    "steps_of",
    "warp_by_warp",
]

_SIZES: dict[str, Callable[[int], int]] = {"SIZE": lambda width: width, "SIZE_2": lambda _: 64}
LARGER = 320  # elements: ten warps of 32 lanes, five of 64, and more than a block of those that a library launches


def steps_of(width: int) -> int:
    """How often a warp is halved until one lane is left."""
    return width.bit_length() - 1


def launch(name: str, size: str = "SIZE", arguments: str = "output input") -> tuple[Kernel, ...]:
    """The launch of a kernel, of one block for `SIZE` and of two for `SIZE_2`."""
    return (
        Kernel(
            name,
            arguments,
            grid=1 if size == "SIZE" else 2,
            block=lambda width: width,
            parameters=lambda width: {"size": _SIZES[size](width)},
        ),
    )


def warp_by_warp(entry: Case, size: str = "SIZE") -> Case:
    """A case of one launch that is judged over several blocks too, each of a warp.

    Args:
        size: Under which the file states the number of elements.
    """
    (step,) = entry.kernel_steps
    larger = replace(step, grid=lambda width: LARGER // width, parameters={"size": LARGER})

    def bare(width: int) -> Instance:
        one = instance(width, size=size)
        tensors = tuple(replace(tensor, shape=(LARGER,)) for tensor in one.tensors)
        return replace(one, arguments=(*tensors, *one.scalars), constants={size: LARGER})

    over_blocks = replace(entry, steps=(larger,), resolve=bare)
    return with_further(entry, other_launch(over_blocks, {size: LARGER}))


data = partial(one_input, "input")


def instance(width: int, *datasets: Dataset, size: str = "SIZE", scalars: tuple[ScalarArgument, ...] = ()) -> Instance:
    """A case at a warp width.

    Args:
        datasets: The documented data first.
        size: Under which the file states the number of elements.
        scalars: The numbers that the kernel takes behind the tensors.
    """
    elements = _SIZES[size](width)
    tensors = TensorArgument("output", "output", (elements,)), TensorArgument("input", "input", (elements,))
    return Instance(width=width, arguments=(*tensors, *scalars), constants={size: elements}, datasets=datasets)


def by_warp(inputs: Arrays, width: int) -> np.ndarray:
    """The input in float64, shape (warps, width)."""
    return inputs["input"].astype(np.float64).reshape(-1, width)


def lines(
    *passed: str, size: str = "SIZE", form: str = "HostBuffer({})"
) -> Callable[[int, np.ndarray, np.ndarray, bool], Sequence[str]]:
    """What the documented programs print.

    Args:
        passed: The lines below a right answer.
        size: Under which the file states the number of elements.
        form: How a list of numbers is shown.
    """

    def printed(width: int, got: np.ndarray, expected: np.ndarray, ok: bool) -> Sequence[str]:
        shown = [f"{name}: {form.format(float_list(held))}" for name, held in (("output", got), ("expected", expected))]
        return (f"WARP_SIZE:  {width}", f"{size}:  {expected.size}", *shown, *(passed if ok else ()))

    return printed


_REGISTERS = "the lanes of a warp exchange registers without shared memory, and without waiting for one another"

NO_SHARED_MEMORY = CounterClaim("no shared memory", "shared_bytes_per_block", lambda _: 0, why=_REGISTERS)
NO_BARRIER = CounterClaim("no barrier", "barriers_per_thread", lambda _: 0, why=_REGISTERS)
# What becomes of a warp's elements between its registers alone.
ALONE = (
    NO_SHARED_MEMORY,
    NO_BARRIER,
    WRITTEN_ONCE,
    NO_COMMUNICATION,
)
