"""Puzzle 17: a custom op of MAX."""

from __future__ import annotations

import numpy as np

from harness.catalogue.data import random_factors
from harness.catalogue.promises import WRITTEN_ONCE
from harness.catalogue.simple import simple
from harness.model.case import CounterClaim, Host, Launched

__all__ = ["CASES"]

TPB = 15
SIZE, WEIGHTS = 15, 4


def _convolved(input: np.ndarray, kernel: np.ndarray) -> np.ndarray:
    return np.correlate(np.append(input, np.zeros(len(kernel) - 1)), kernel, "valid")


CASES = (
    simple(
        "p17",
        "a convolution as an op of MAX",
        Host(
            "Conv1DCustomOp.execute",
            "output input kernel",
            ('"gpu"', str(SIZE), str(WEIGHTS)),
            (Launched("conv1d_kernel", grid=2, block=TPB),),
        ),
        {"input": np.arange(SIZE), "kernel": np.arange(WEIGHTS)},
        _convolved,
        form="op",
        constants={"TPB": TPB},
        claims=(
            WRITTEN_ONCE,
            CounterClaim(
                "a block holds its share, what it needs of the next one, and the weights in shared memory",
                "shared_bytes_per_block",
                lambda _: (TPB + 2 * WEIGHTS - 1) * 4,
            ),
        ),
        random=random_factors,
    ),
)
