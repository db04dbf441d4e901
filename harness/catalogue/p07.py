"""Puzzle 7: blocks of a matrix."""

from __future__ import annotations

import numpy as np

from harness.catalogue.data import out_and_expected, patterns
from harness.catalogue.promises import READ_ONCE, WRITTEN_ONCE
from harness.model.case import Case, Instance, Kernel, ScalarArgument, TensorArgument

__all__ = ["CASES"]

SIZE, BLOCKS, THREADS = 5, 2, 3


def _instance(width: int) -> Instance:
    return Instance(
        width=width,
        arguments=(
            TensorArgument("output", "output", (SIZE, SIZE)),
            TensorArgument("a", "input", (SIZE, SIZE)),
            ScalarArgument("size_dev", SIZE),
        ),
        constants={"SIZE": SIZE},
        datasets=patterns({"a": np.arange(SIZE * SIZE).reshape(SIZE, SIZE)}, seed=7),
    )


CASES = (
    Case(
        puzzle="p07",
        mode=None,
        title="blocks of a matrix",
        steps=(Kernel("add_10_blocks_2d", "output a size_dev", grid=(BLOCKS, BLOCKS), block=(THREADS, THREADS)),),
        resolve=_instance,
        oracle=lambda inputs, _: {"output": inputs["a"].astype(np.float64) + 10},
        printed=out_and_expected,
        claims=(
            WRITTEN_ONCE,
            READ_ONCE,
        ),
    ),
)
