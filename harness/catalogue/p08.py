"""Puzzle 8: shared memory."""

from __future__ import annotations

import numpy as np

from harness.catalogue.data import out_and_expected, patterns
from harness.catalogue.promises import READ_ONCE, WRITTEN_ONCE, shared_elements
from harness.model.case import Case, Instance, Kernel, ScalarArgument, TensorArgument

__all__ = ["CASES"]

TPB, SIZE, BLOCKS = 4, 8, 2


def _instance(width: int) -> Instance:
    return Instance(
        width=width,
        arguments=(
            TensorArgument("output", "output", (SIZE,)),
            TensorArgument("a", "input", (SIZE,)),
            ScalarArgument("size_dev", SIZE),
        ),
        constants={"TPB": TPB, "SIZE": SIZE},
        datasets=patterns({"a": np.ones(SIZE)}, seed=8),
    )


CASES = (
    Case(
        puzzle="p08",
        mode=None,
        title="shared memory",
        steps=(Kernel("add_10_shared_tile_tensor", "output a size_dev", grid=BLOCKS, block=TPB),),
        resolve=_instance,
        oracle=lambda inputs, _: {"output": inputs["a"].astype(np.float64) + 10},
        printed=out_and_expected,
        claims=(
            WRITTEN_ONCE,
            READ_ONCE,
            shared_elements(TPB),
        ),
    ),
)
