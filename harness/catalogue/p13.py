"""Puzzle 13: convolution in one dimension."""

from __future__ import annotations

import numpy as np

from harness.catalogue.data import random_factors
from harness.catalogue.parts import ALGORITHMS
from harness.catalogue.promises import READ_ONCE, WRITTEN_ONCE
from harness.catalogue.simple import simple
from harness.model.case import CounterClaim, Kernel
from harness.model.place import Place

__all__ = ["CASES", "PLACE"]

PLACE = Place(ALGORITHMS, ("p11",))

TPB = 8
SIMPLE, BOUNDARY = (6, 3), (15, 4)  # elements of the vector, and weights


def _documented(size: int, weights: int) -> dict[str, np.ndarray]:
    return {"a": np.arange(size), "b": np.arange(weights)}


def _convolved(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    return np.correlate(np.append(a, np.zeros(len(b) - 1)), b, "valid")


CASES = (
    simple(
        "p13",
        "convolution in one block",
        Kernel("conv_1d_simple", "output a b", block=TPB),
        _documented(*SIMPLE),
        _convolved,
        mode="simple",
        constants={"TPB": TPB, "SIZE": SIMPLE[0], "CONV": SIMPLE[1]},
        claims=(
            WRITTEN_ONCE,
            READ_ONCE,
            CounterClaim(
                "a block holds vector and weights in shared memory",
                "shared_bytes_per_block",
                lambda _: sum(SIMPLE) * 4,
            ),
        ),
        random=random_factors,
    ),
    simple(
        "p13",
        "convolution over the edges of blocks",
        Kernel("conv_1d_block_boundary", "output a b", grid=2, block=TPB),
        _documented(*BOUNDARY),
        _convolved,
        mode="block-boundary",
        constants={"TPB": TPB, "SIZE_2": BOUNDARY[0], "CONV_2": BOUNDARY[1]},
        claims=(
            WRITTEN_ONCE,
            CounterClaim(
                "a block holds its share, what it needs of the next one, and the weights in shared memory",
                "shared_bytes_per_block",
                lambda _: (TPB + 2 * BOUNDARY[1] - 1) * 4,
            ),
        ),
        random=random_factors,
    ),
)
