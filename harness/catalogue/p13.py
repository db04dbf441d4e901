"""Cases of puzzle 13: convolution in one dimension, in one block and in several."""

from __future__ import annotations

import numpy as np

from harness.catalogue.data import random_factors
from harness.catalogue.further import make_further, with_further
from harness.catalogue.parts import ALGORITHMS
from harness.catalogue.promises import READ_ONCE, WRITTEN_ONCE
from harness.catalogue.simple import make_simple_case
from harness.model.case import Case, CounterClaim, Kernel
from harness.model.place import CoursePlace

__all__ = ["CASES", "PLACE"]

PLACE = CoursePlace(ALGORITHMS, ("p11",))

TPB = 8
SIMPLE, BOUNDARY = (6, 3), (15, 4)  # elements of the vector, and weights


def _documented(size: int, weights: int) -> dict[str, np.ndarray]:
    return {"a": np.arange(size), "b": np.arange(weights)}


def _convolved(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    return np.correlate(np.append(a, np.zeros(len(b) - 1)), b, "valid")


def _in_one_block(size: int, weights: int, blocks: int) -> Case:
    return make_simple_case(
        "p13",
        "convolution in one block",
        Kernel("conv_1d_simple", "output a b", grid=blocks, block=TPB),
        _documented(size, weights),
        _convolved,
        mode="simple",
        constants={"TPB": TPB, "SIZE": size, "CONV": weights},
        claims=(
            WRITTEN_ONCE,
            READ_ONCE,
            CounterClaim(
                "a block holds vector and weights in shared memory",
                "shared_bytes_per_block",
                lambda _: (size + weights) * 4,
            ),
        ),
        random=random_factors,
    )


def _over_edges(size: int, weights: int, blocks: int) -> Case:
    return make_simple_case(
        "p13",
        "convolution over the edges of blocks",
        Kernel("conv_1d_block_boundary", "output a b", grid=blocks, block=TPB),
        _documented(size, weights),
        _convolved,
        mode="block-boundary",
        constants={"TPB": TPB, "SIZE_2": size, "CONV_2": weights},
        claims=(
            WRITTEN_ONCE,
            CounterClaim(
                "a block holds its share, what it needs of the next one, and the weights in shared memory",
                "shared_bytes_per_block",
                lambda _: (TPB + 2 * weights - 1) * 4,
            ),
        ),
        random=random_factors,
    )


CASES = (
    with_further(
        _in_one_block(*SIMPLE, blocks=1),
        # A window over the last element reaches further than a block has threads; the second block has nothing to do.
        make_further(_in_one_block(7, 5, blocks=2), {"SIZE": 7, "CONV": 5, "BLOCKS_PER_GRID": "(2, 1)"}),
    ),
    with_further(
        _over_edges(*BOUNDARY, blocks=2),
        # The vector ends within what the second block needs of the third one, and the fourth has nothing to do.
        make_further(_over_edges(18, 5, blocks=4), {"SIZE_2": 18, "CONV_2": 5, "BLOCKS_PER_GRID_2": "(4, 1)"}),
    ),
)
