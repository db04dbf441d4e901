"""Cases of puzzle 14: prefix sums in one block and over several."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import numpy as np

from harness.catalogue.data import (
    format_floats,
    make_dataset,
    one_hot,
    powers_of_two,
    random_fractions,
    with_infinities,
)
from harness.catalogue.further import make_further, with_further
from harness.catalogue.parts import ALGORITHMS
from harness.catalogue.promises import READ_ONCE, promise_shared
from harness.catalogue.sizes import cut_to_size, pad_masked
from harness.model.case import (
    Arrays,
    Case,
    CounterClaim,
    Dataset,
    Instance,
    Kernel,
    ScalarArgument,
    Size,
    TensorArgument,
)
from harness.model.place import CoursePlace

__all__ = ["CASES", "PLACE"]

PLACE = CoursePlace(ALGORITHMS, ("p12",))

TPB, SIZE, SIZE_2, BLOCKS = 8, 8, 15, 2


def _datasets(size: int) -> tuple[Dataset, ...]:
    counted = np.arange(size, dtype=np.float32)
    data = partial(make_dataset, "a")
    return (
        data("documented", counted, f"the documents' own data: 0..{size - 1}"),
        data("powers-of-two", powers_of_two((size,)), "an addend left out or added twice"),
        data("first-alone", one_hot((size,), 0), "a sum that leaves out the first addend, which is 0 in the documents"),
        data("negatives", -1 - counted, "a sum that starts from junk, or keeps only what is positive"),
        data("infinity", with_infinities(counted, {size - 1: np.inf}), "the last addend in a sum before it"),
        data("random-14", random_fractions((size,), seed=14), "anything that the patterns above hide"),
    )


def _simple(size: int, width: int) -> Instance:
    return Instance(
        width=width,
        arguments=(
            TensorArgument("output", "output", (size,)),
            TensorArgument("a", "input", (size,)),
            ScalarArgument("size_dev", size),
        ),
        constants={"TPB": TPB, "SIZE": size},
        datasets=_datasets(size),
    )


def _complete(size: int, blocks: int, width: int) -> Instance:
    return Instance(
        width=width,
        arguments=(
            TensorArgument("output", "output", (size + blocks,)),
            TensorArgument("a", "input", (size,)),
            ScalarArgument("size_dev", size),
        ),
        constants={"TPB": TPB, "SIZE_2": size, "EXTENDED_SIZE": size + blocks},
        datasets=_datasets(size),
    )


def _sums(size: Size, inputs: Arrays, _width: int) -> dict[str, np.ndarray]:
    a = inputs["a"].astype(np.float64)
    return {"output": pad_masked(cut_to_size(a, inputs, size).cumsum(), a.shape)}


def _sums_and_totals(size: Size, blocks: int, inputs: Arrays, _width: int) -> dict[str, np.ndarray]:
    a = inputs["a"].astype(np.float64)
    there = cut_to_size(a, inputs, size)
    totals = [there[block * TPB : (block + 1) * TPB].sum() for block in range(blocks)]
    return {"output": pad_masked(np.concatenate([there.cumsum(), totals]), (a.size + blocks,))}


def _print_lines(_width: int, actual: np.ndarray, expected: np.ndarray, _ok: bool) -> Sequence[str]:
    return (f"out: HostBuffer({format_floats(actual)})", f"expected: HostBuffer({format_floats(expected)})")


_TREE = (
    "one place for each thread is enough to hand on what it has added: log2(TPB) steps, where one thread takes TPB - 1"
)


def _in_one_block(elements: int, blocks: int) -> Case:
    size = Size("size_dev", elements)
    return Case(
        puzzle="p14",
        mode="simple",
        title="prefix sum in one block",
        steps=(Kernel("prefix_sum_simple", "output a size_dev", grid=blocks, block=TPB),),
        resolve=partial(_simple, elements),
        oracle=partial(_sums, size),
        printed=_print_lines,
        size=size,
        claims=(
            READ_ONCE,
            CounterClaim("each sum is written once", "writes_per_output_element", lambda _: 1),
            promise_shared(TPB, _TREE),
        ),
    )


def case_at(elements: int, blocks: int) -> Case:
    """Make the case of the prefix sums over several blocks of `TPB` threads, at a number of elements and of blocks.

    Two kernels are launched. The result holds the prefix sums, then the total of each block.
    """
    size = Size("size_dev", elements)
    return Case(
        puzzle="p14",
        mode="complete",
        title="prefix sum over blocks",
        steps=(
            Kernel("prefix_sum_local_phase", "output a size_dev", grid=blocks, block=TPB),
            Kernel("prefix_sum_block_sum_phase", "output size_dev", grid=blocks, block=TPB),
        ),
        resolve=partial(_complete, elements, blocks),
        oracle=partial(_sums_and_totals, size, blocks),
        printed=_print_lines,
        size=size,
        claims=(
            READ_ONCE,
            promise_shared(TPB, _TREE),
            CounterClaim(
                "the second phase needs no shared memory",
                "shared_bytes_per_block",
                lambda _: 0,
                why="each thread adds the totals of the blocks before its own, which lie in global memory",
                step=1,
            ),
        ),
    )


# Of both the last block has nothing to do.
CASES = (
    with_further(
        _in_one_block(SIZE, blocks=1),
        make_further(_in_one_block(6, blocks=2), {"SIZE": 6, "BLOCKS_PER_GRID": "(2, 1)"}),
    ),
    with_further(
        case_at(SIZE_2, BLOCKS),
        make_further(
            case_at(11, blocks=3),
            {"SIZE": 6, "SIZE_2": 11, "EXTENDED_SIZE": 14, "BLOCKS_PER_GRID_2": "(3, 1)"},
            size=10,
        ),
    ),
)
