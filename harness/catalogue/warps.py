"""Cases whose warps exchange `input` for `output`: launches, data, printed lines, promises."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

import numpy as np

from harness.catalogue.data import float_list, one_input
from harness.catalogue.further import make_further, with_further
from harness.catalogue.promises import NO_COMMUNICATION, WRITTEN_ONCE
from harness.model.case import Arrays, Case, CounterClaim, Dataset, Instance, Kernel, ScalarArgument, TensorArgument

__all__ = [
    "ALONE",
    "LARGER",
    "NO_BARRIER",
    "NO_SHARED_MEMORY",
    "WARPS_OF_A_BLOCK",
    "by_warp",
    "data",
    "instance",
    "launch",
    "lines",
    "steps_of",
    "warp_by_warp",
]

Oracle = Callable[[Arrays, int], dict[str, np.ndarray]]

_SIZES: dict[str, Callable[[int], int]] = {"SIZE": lambda width: width, "SIZE_2": lambda _: 64}
LARGER = 448  # elements: 14 warps of 32 lanes, 7 of 64, and more than a block of those that a library launches
WARPS_OF_A_BLOCK = 3  # at further launches: lanes and threads of a block are then numbered differently


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


def warp_by_warp(entry: Case, size: str = "SIZE", oracle: Oracle | None = None) -> Case:
    """Return a case of one launch with a further one, over several blocks of several warps.

    The last block but one has warps without elements, and the last block has none at all. No warp has lanes without
    elements: the documented kernels exchange inside of the guard, where all lanes of a warp have to be.

    Args:
        size: The constant of the file that states the number of elements.
        oracle: What the results are then, if it is not what it is of one block of a warp.
    """
    (step,) = entry.kernel_steps
    behind = size.removeprefix("SIZE")  # of the names of the constants that go with it

    def blocks(width: int) -> int:
        return LARGER // (WARPS_OF_A_BLOCK * width) + 2

    def bare(width: int) -> Instance:
        one = instance(width, size=size)
        tensors = tuple(replace(tensor, shape=(LARGER,)) for tensor in one.tensors)
        return replace(one, arguments=(*tensors, *entry.instance(width).scalars), constants={size: LARGER})

    larger = replace(step, grid=blocks, block=lambda width: WARPS_OF_A_BLOCK * width, parameters={"size": LARGER})
    redefined: dict[str, int | str] = {
        size: LARGER,
        **({} if behind else {"SIZE_2": "2 * SIZE"}),  # which this kernel has nothing to do with
        f"BLOCKS_PER_GRID{behind}": f"({LARGER} // ({WARPS_OF_A_BLOCK} * WARP_SIZE) + 2, 1)",
        f"THREADS_PER_BLOCK{behind}": f"({WARPS_OF_A_BLOCK} * WARP_SIZE, 1)",
    }
    over_blocks = replace(entry, steps=(larger,), resolve=bare, oracle=oracle or entry.oracle)
    return with_further(entry, make_further(over_blocks, redefined))


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
