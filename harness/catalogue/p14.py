"""Puzzle 14: prefix sums."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import numpy as np

from harness.catalogue.data import float_list, infinities, one_hot, one_input, powers_of_two, random_fractions
from harness.catalogue.parts import ALGORITHMS
from harness.catalogue.promises import READ_ONCE, shared_elements
from harness.catalogue.sizes import cut, with_gaps
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
from harness.model.place import Place

__all__ = ["CASES", "PLACE"]

PLACE = Place(ALGORITHMS, ("p12",))

TPB, SIZE, SIZE_2, BLOCKS = 8, 8, 15, 2
_OTHERS = Size("size_dev", SIZE)


def _datasets(size: int) -> tuple[Dataset, ...]:
    counted = np.arange(size, dtype=np.float32)
    data = partial(one_input, "a")
    return (
        data("documented", counted, f"the documents' own data: 0..{size - 1}"),
        data("powers-of-two", powers_of_two((size,)), "an addend left out or added twice"),
        data("first-alone", one_hot((size,), 0), "a sum that leaves out the first addend, which is 0 in the documents"),
        data("negatives", -1 - counted, "a sum that starts from junk, or keeps only what is positive"),
        data("infinity", infinities(counted, {size - 1: np.inf}), "the last addend in a sum before it"),
        data("random-14", random_fractions((size,), seed=14), "anything that the patterns above hide"),
    )


def _simple(width: int) -> Instance:
    return Instance(
        width=width,
        arguments=(
            TensorArgument("output", "output", (SIZE,)),
            TensorArgument("a", "input", (SIZE,)),
            ScalarArgument("size_dev", SIZE),
        ),
        constants={"TPB": TPB, "SIZE": SIZE},
        datasets=_datasets(SIZE),
    )


def _complete(width: int) -> Instance:
    return Instance(
        width=width,
        arguments=(
            TensorArgument("output", "output", (SIZE_2 + BLOCKS,)),
            TensorArgument("a", "input", (SIZE_2,)),
            ScalarArgument("size_dev", SIZE_2),
        ),
        constants={"TPB": TPB, "SIZE_2": SIZE_2, "EXTENDED_SIZE": SIZE_2 + BLOCKS},
        datasets=_datasets(SIZE_2),
    )


def _sums(inputs: Arrays, _width: int) -> dict[str, np.ndarray]:
    a = inputs["a"].astype(np.float64)
    return {"output": with_gaps(cut(a, inputs, _OTHERS).cumsum(), a.shape)}


def _sums_and_totals(inputs: Arrays, _width: int) -> dict[str, np.ndarray]:
    a = inputs["a"].astype(np.float64)
    totals = [a[first : first + TPB].sum() for first in range(0, SIZE_2, TPB)]
    return {"output": np.concatenate([a.cumsum(), totals])}


def _printed(_width: int, got: np.ndarray, expected: np.ndarray, _ok: bool) -> Sequence[str]:
    return (f"out: HostBuffer({float_list(got)})", f"expected: HostBuffer({float_list(expected)})")


_TREE = (
    "one place for each thread is enough to hand on what it has added: log2(TPB) steps, where one thread takes TPB - 1"
)

CASES = (
    Case(
        puzzle="p14",
        mode="simple",
        title="prefix sum in one block",
        steps=(Kernel("prefix_sum_simple", "output a size_dev", block=TPB),),
        resolve=_simple,
        oracle=_sums,
        printed=_printed,
        size=_OTHERS,
        claims=(
            READ_ONCE,
            CounterClaim("each sum is written once", "writes_per_output_element", lambda _: 1),
            shared_elements(TPB, _TREE),
        ),
    ),
    Case(
        puzzle="p14",
        mode="complete",  # of one size: of another the documents' kernels put the totals elsewhere
        title="prefix sum over blocks",
        steps=(
            Kernel("prefix_sum_local_phase", "output a size_dev", grid=BLOCKS, block=TPB),
            Kernel("prefix_sum_block_sum_phase", "output size_dev", grid=BLOCKS, block=TPB),
        ),
        resolve=_complete,
        oracle=_sums_and_totals,
        printed=_printed,
        claims=(
            READ_ONCE,
            shared_elements(TPB, _TREE),
            CounterClaim(
                "the second phase needs no shared memory",
                "shared_bytes_per_block",
                lambda _: 0,
                why="each thread adds the totals of the blocks before its own, which lie in global memory",
                step=1,
            ),
        ),
    ),
)
