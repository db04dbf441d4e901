"""Puzzle 4: map of a TileTensor."""

from __future__ import annotations

import numpy as np

from harness.catalogue.data import out_and_expected, patterns
from harness.catalogue.promises import READ_ONCE, WRITTEN_ONCE
from harness.model.case import Case, Instance, Kernel, ScalarArgument, TensorArgument

__all__ = ["CASES"]

SIZE, THREADS = 2, 3


def _instance(width: int) -> Instance:
    return Instance(
        width=width,
        arguments=(
            TensorArgument("output", "output", (SIZE, SIZE)),
            TensorArgument("a", "input", (SIZE, SIZE)),
            ScalarArgument("size_dev", SIZE),
        ),
        constants={"SIZE": SIZE},
        datasets=patterns({"a": np.arange(SIZE * SIZE).reshape(SIZE, SIZE)}, seed=44),
    )


CASES = (
    Case(
        puzzle="p04_tile_tensor",
        mode=None,
        title="map of a TileTensor",
        steps=(Kernel("add_10_2d", "output a size_dev", block=(THREADS, THREADS)),),
        resolve=_instance,
        oracle=lambda inputs, _: {"output": inputs["a"].astype(np.float64) + 10},
        printed=out_and_expected,
        claims=(
            WRITTEN_ONCE,
            READ_ONCE,
        ),
    ),
)
