"""Puzzle 15: axis sum."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import numpy as np

from harness.catalogue.data import float_list, infinities, one_input, powers_of_two, random_fractions
from harness.catalogue.parts import ALGORITHMS
from harness.catalogue.promises import NO_COMMUNICATION, READ_ONCE, shared_elements
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

PLACE = Place(ALGORITHMS, ("p07", "p12"))

TPB, BATCH, SIZE = 8, 4, 6
SHAPE = (BATCH, SIZE)


def _datasets() -> tuple[Dataset, ...]:
    counted = np.arange(BATCH * SIZE, dtype=np.float32).reshape(SHAPE)
    data = partial(one_input, "a")
    return (
        data("documented", counted, "the documents' own data: 0..23 in order"),
        data("powers-of-two", powers_of_two(SHAPE), "an element left out or added twice"),
        data("negatives", -1000 * counted[::-1], "a sum that starts from junk, or keeps only what is positive"),
        data(
            "infinities",
            infinities(counted, {0: np.inf, 2 * SIZE - 1: -np.inf}),
            "a row that leaks into its neighbour",
        ),
        data("random-15", random_fractions(SHAPE, seed=15), "anything that the patterns above hide"),
        data("random-1515", random_fractions(SHAPE, seed=1515), "anything that the patterns above hide"),
    )


def _instance(width: int) -> Instance:
    return Instance(
        width=width,
        arguments=(
            TensorArgument("output", "output", (BATCH, 1)),
            TensorArgument("a", "input", SHAPE),
            ScalarArgument("size_dev", SIZE),
        ),
        constants={"TPB": TPB, "BATCH": BATCH, "SIZE": SIZE},
        datasets=_datasets(),
    )


def _oracle(inputs: Arrays, _width: int) -> dict[str, np.ndarray]:
    size = int(inputs.get("size_dev", np.asarray(SIZE)))
    return {"output": inputs["a"][:, :size].astype(np.float64).sum(axis=1, keepdims=True)}


def _printed(_width: int, got: np.ndarray, expected: np.ndarray, _ok: bool) -> Sequence[str]:
    return (f"out: DeviceBuffer({float_list(got)})", f"expected: HostBuffer({float_list(expected)})")


CASES = (
    Case(
        puzzle="p15",
        mode=None,
        title="axis sum",
        steps=(Kernel("axis_sum", "output a size_dev", grid=(1, BATCH), block=TPB),),
        resolve=_instance,
        oracle=_oracle,
        printed=_printed,
        peers={
            "torch": lambda torch, a, output: lambda: torch.sum(a, 1, keepdim=True, out=output),
            "cupy": lambda _, a, output: lambda: a.sum(axis=1, keepdims=True, out=output),
        },
        size=Size("size_dev", SIZE),
        claims=(
            shared_elements(
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
                lambda _: BATCH,
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
    ),
)
