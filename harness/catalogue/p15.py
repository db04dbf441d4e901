"""Case of puzzle 15: axis sum."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import numpy as np

from harness.catalogue.data import format_floats, make_dataset, powers_of_two, random_fractions, with_infinities
from harness.catalogue.further import make_further, with_further
from harness.catalogue.parts import ALGORITHMS
from harness.catalogue.promises import NO_COMMUNICATION, READ_ONCE, promise_shared
from harness.catalogue.sizes import pad_masked
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

__all__ = ["CASES", "PLACE", "case_at"]

PLACE = CoursePlace(ALGORITHMS, ("p07", "p12"))

TPB, BATCH, SIZE = 8, 4, 6


def _datasets(shape: tuple[int, int]) -> tuple[Dataset, ...]:
    batch, size = shape
    counted = np.arange(batch * size, dtype=np.float32).reshape(shape)
    data = partial(make_dataset, "a")
    return (
        data("documented", counted, f"the documents' own data: 0..{counted.size - 1} in order"),
        data("powers-of-two", powers_of_two(shape), "an element left out or added twice"),
        data("negatives", -1000 * counted[::-1], "a sum that starts from junk, or keeps only what is positive"),
        data(
            "infinities",
            with_infinities(counted, {0: np.inf, 2 * size - 1: -np.inf}),
            "a row that leaks into its neighbour",
        ),
        data("random-15", random_fractions(shape, seed=15), "anything that the patterns above hide"),
        data("random-1515", random_fractions(shape, seed=1515), "anything that the patterns above hide"),
    )


def _instance(batch: int, size: int, columns: int, width: int) -> Instance:
    return Instance(
        width=width,
        arguments=(
            TensorArgument("output", "output", (batch, columns)),
            TensorArgument("a", "input", (batch, size)),
            ScalarArgument("size_dev", size),
        ),
        constants={"TPB": TPB, "BATCH": batch, "SIZE": size},
        datasets=_datasets((batch, size)),
    )


def _oracle(size: int, columns: int, inputs: Arrays, _width: int) -> dict[str, np.ndarray]:
    a = inputs["a"].astype(np.float64)
    there = a[:, : int(inputs.get("size_dev", np.asarray(size)))]
    return {"output": pad_masked(there.sum(axis=1, keepdims=True), (len(a), columns))}


def _print_lines(_width: int, actual: np.ndarray, expected: np.ndarray, _ok: bool) -> Sequence[str]:
    return (f"out: DeviceBuffer({format_floats(actual)})", f"expected: HostBuffer({format_floats(expected)})")


def case_at(batch: int, size: int, blocks: int = 1, columns: int = 1) -> Case:
    """Make the case at a number of rows, of elements of a row, and of blocks for each row.

    Args:
        batch: The rows.
        size: The elements of each row.
        blocks: The blocks of the grid in x.
        columns: The columns of the result, of which the first takes the sums; the others must stay unwritten.
    """
    return Case(
        puzzle="p15",
        mode=None,
        title="axis sum",
        steps=(Kernel("axis_sum", "output a size_dev", grid=(blocks, batch), block=TPB),),
        resolve=partial(_instance, batch, size, columns),
        oracle=partial(_oracle, size, columns),
        printed=_print_lines,
        peers={
            "torch": lambda torch, a, output: lambda: torch.sum(a, 1, keepdim=True, out=output),
            "cupy": lambda _, a, output: lambda: a.sum(axis=1, keepdims=True, out=output),
        },
        size=Size("size_dev", size),
        claims=(
            promise_shared(
                TPB, "the puzzle is about shared memory, where the threads of a block see one another's values"
            ),
            CounterClaim(
                "the tree takes log2(TPB) steps",
                "reduction_steps",
                lambda _: 3,
                why="a tree adds side by side: 3 steps for 8 values, 10 for 1024, where one thread takes 1023",
            ),
            # No number of barriers is promised: the tree is race-free with one or two in a step.
            READ_ONCE,
            CounterClaim("each row's sum is written once", "writes_per_output_element", lambda _: 1),
            CounterClaim(
                "one block for each row contributes",
                "contributing_blocks",
                lambda _: batch,
                why="rows do not depend on each other, and blocks run side by side",
            ),
            NO_COMMUNICATION,
            CounterClaim(
                "no lanes exchange registers",
                "shuffles_per_lane",
                lambda _: 0,
                why="shuffles between the lanes of a warp come in puzzles 24 to 26: here the way is shared memory",
            ),
        ),
    )


CASES = (
    with_further(
        case_at(BATCH, SIZE),
        # More rows than a block has threads, and the first column of a wider output: an index that leaves the shape of
        # one column meets another element.
        make_further(case_at(9, 5, columns=3), {"BATCH": 9, "SIZE": 5, "out_layout": "row_major[BATCH, 3]()"}),
    ),
)
