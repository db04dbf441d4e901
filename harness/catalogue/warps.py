"""Building blocks of cases whose warps compute `output` from `input`: launches, data, printed lines, claims."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

import numpy as np

from harness.catalogue.data import format_floats, make_dataset
from harness.catalogue.further import make_further, with_further
from harness.catalogue.promises import NO_COMMUNICATION, WRITTEN_ONCE
from harness.model.case import Arrays, Case, CounterClaim, Dataset, Instance, Kernel, ScalarArgument, TensorArgument

__all__ = [
    "ALONE",
    "LARGER",
    "NO_BARRIER",
    "NO_SHARED_MEMORY",
    "WARPS_OF_A_BLOCK",
    "add_larger_launch",
    "data",
    "halvings_of_warp",
    "make_instance",
    "make_launch",
    "make_line_printer",
    "reshape_by_warp",
]

Oracle = Callable[[Arrays, int], dict[str, np.ndarray]]

_SIZES: dict[str, Callable[[int], int]] = {"SIZE": lambda width: width, "SIZE_2": lambda _: 64}
LARGER = 448  # elements: 14 warps of 32 lanes, 7 of 64, and more than a block of those that a library launches
WARPS_OF_A_BLOCK = 3  # at further launches: lanes and threads of a block are then numbered differently


def halvings_of_warp(width: int) -> int:
    """Return how often a warp is halved until one lane is left."""
    return width.bit_length() - 1


def make_launch(name: str, size: str = "SIZE", arguments: str = "output input") -> tuple[Kernel, ...]:
    """Return, as a tuple of one, the launch of a kernel in blocks of one warp: one block for `SIZE`, else two."""
    return (
        Kernel(
            name,
            arguments,
            grid=1 if size == "SIZE" else 2,
            block=lambda width: width,
            parameters=lambda width: {"size": _SIZES[size](width)},
        ),
    )


def add_larger_launch(entry: Case, size: str = "SIZE", oracle: Oracle | None = None) -> Case:
    """Return a case of one launch with a further launch of several blocks of several warps.

    The last block but one has warps without elements, and the last block has none at all. No warp is partly filled: the
    documented kernels exchange inside of the guard, where all lanes of a warp have to be.

    Args:
        entry: The case.
        size: The constant of the file that states the number of elements.
        oracle: The oracle of the further launch, if it differs from that of one block of a warp.
    """
    (step,) = entry.kernel_steps
    suffix = size.removeprefix("SIZE")  # of the names of the constants that go with it

    def blocks(width: int) -> int:
        return LARGER // (WARPS_OF_A_BLOCK * width) + 2

    def bare(width: int) -> Instance:
        smaller = make_instance(width, size=size)
        tensors = tuple(replace(tensor, shape=(LARGER,)) for tensor in smaller.tensors)
        return replace(smaller, arguments=(*tensors, *entry.instance(width).scalars), constants={size: LARGER})

    larger = replace(step, grid=blocks, block=lambda width: WARPS_OF_A_BLOCK * width, parameters={"size": LARGER})
    redefined: dict[str, int | str] = {
        size: LARGER,
        **({} if suffix else {"SIZE_2": "2 * SIZE"}),  # which this kernel has nothing to do with
        f"BLOCKS_PER_GRID{suffix}": f"({LARGER} // ({WARPS_OF_A_BLOCK} * WARP_SIZE) + 2, 1)",
        f"THREADS_PER_BLOCK{suffix}": f"({WARPS_OF_A_BLOCK} * WARP_SIZE, 1)",
    }
    over_blocks = replace(entry, steps=(larger,), resolve=bare, oracle=oracle or entry.oracle)
    return with_further(entry, make_further(over_blocks, redefined))


data = partial(make_dataset, "input")


def make_instance(
    width: int, *datasets: Dataset, size: str = "SIZE", scalars: tuple[ScalarArgument, ...] = ()
) -> Instance:
    """Make an instance at a warp width, with one vector `input` and one `output` of equal length.

    Args:
        width: The warp width.
        datasets: The documented data first.
        size: The constant with the number of elements: `SIZE` is the warp width, `SIZE_2` is 64.
        scalars: The scalars that the kernel takes after the tensors.
    """
    elements = _SIZES[size](width)
    tensors = TensorArgument("output", "output", (elements,)), TensorArgument("input", "input", (elements,))
    return Instance(width=width, arguments=(*tensors, *scalars), constants={size: elements}, datasets=datasets)


def reshape_by_warp(inputs: Arrays, width: int) -> np.ndarray:
    """Return the input in float64, shape (warps, width)."""
    return inputs["input"].astype(np.float64).reshape(-1, width)


def make_line_printer(
    *passed: str, size: str = "SIZE", form: str = "HostBuffer({})"
) -> Callable[[int, np.ndarray, np.ndarray, bool], Sequence[str]]:
    """Return a function that formats the documented lines: the warp width, the size, the output, what is expected.

    Args:
        passed: The lines below a right answer.
        size: The name of the constant with the number of elements.
        form: The format of a list of numbers.
    """

    def printed(width: int, actual: np.ndarray, expected: np.ndarray, ok: bool) -> Sequence[str]:
        results = [
            f"{name}: {form.format(format_floats(values))}"
            for name, values in (("output", actual), ("expected", expected))
        ]
        return (f"WARP_SIZE:  {width}", f"{size}:  {expected.size}", *results, *(passed if ok else ()))

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
