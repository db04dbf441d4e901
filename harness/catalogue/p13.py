"""Puzzle 13: convolution in one dimension."""

from __future__ import annotations

import numpy as np

from harness.catalogue.data import factors, out_and_expected, patterns, random_factors
from harness.catalogue.promises import READ_ONCE, WRITTEN_ONCE
from harness.model.case import Arrays, Case, CounterClaim, Instance, Kernel, TensorArgument

__all__ = ["CASES"]

TPB = 8
SIMPLE, BOUNDARY = (6, 3), (15, 4)  # elements of the vector, and weights


def _instance(width: int, sizes: tuple[int, int], end: str) -> Instance:
    size, weights = sizes
    return Instance(
        width=width,
        arguments=(
            TensorArgument("output", "output", (size,)),
            TensorArgument("a", "input", (size,)),
            TensorArgument("b", "input", (weights,)),
        ),
        constants={"TPB": TPB, f"SIZE{end}": size, f"CONV{end}": weights},
        datasets=patterns({"a": np.arange(size), "b": np.arange(weights)}, seed=13, random=random_factors),
    )


def _convolved(inputs: Arrays, _width: int) -> dict[str, np.ndarray]:
    a, b = (inputs[name].astype(np.float64) for name in "ab")
    return {"output": np.correlate(np.append(a, np.zeros(len(b) - 1)), b, "valid")}


CASES = (
    Case(
        puzzle="p13",
        mode="simple",
        title="convolution in one block",
        steps=(Kernel("conv_1d_simple", "output a b", block=TPB),),
        resolve=lambda width: _instance(width, SIMPLE, ""),
        oracle=_convolved,
        draw=factors,
        printed=out_and_expected,
        claims=(
            WRITTEN_ONCE,
            READ_ONCE,
            CounterClaim(
                "a block holds vector and weights in shared memory",
                "shared_bytes_per_block",
                lambda _: sum(SIMPLE) * 4,
            ),
        ),
    ),
    Case(
        puzzle="p13",
        mode="block-boundary",
        title="convolution over the edges of blocks",
        steps=(Kernel("conv_1d_block_boundary", "output a b", grid=2, block=TPB),),
        resolve=lambda width: _instance(width, BOUNDARY, "_2"),
        oracle=_convolved,
        draw=factors,
        printed=out_and_expected,
        claims=(
            WRITTEN_ONCE,
            CounterClaim(
                "a block holds its share, what it needs of the next one, and the weights in shared memory",
                "shared_bytes_per_block",
                lambda _: (TPB + 2 * BOUNDARY[1] - 1) * 4,
            ),
        ),
    ),
)
