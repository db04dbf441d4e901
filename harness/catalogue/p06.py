"""Puzzle 6: blocks."""

from __future__ import annotations

import numpy as np

from harness.catalogue.data import out_and_expected, patterns
from harness.catalogue.promises import READ_ONCE, WRITTEN_ONCE
from harness.model.case import Case, Instance, Kernel, ScalarArgument, TensorArgument

__all__ = ["CASES"]

SIZE, BLOCKS, THREADS = 9, 3, 4


def _instance(width: int) -> Instance:
    return Instance(
        width=width,
        arguments=(
            TensorArgument("output", "output", (SIZE,), form="pointer"),
            TensorArgument("a", "input", (SIZE,), form="pointer", mutable=True),
            ScalarArgument("size_dev", SIZE),
        ),
        constants={"SIZE": SIZE},
        datasets=patterns({"a": np.arange(SIZE)}, seed=6),
    )


CASES = (
    Case(
        puzzle="p06",
        mode=None,
        title="blocks",
        steps=(Kernel("add_10_blocks", "output a size_dev", grid=BLOCKS, block=THREADS),),
        resolve=_instance,
        oracle=lambda inputs, _: {"output": inputs["a"].astype(np.float64) + 10},
        printed=out_and_expected,
        claims=(
            WRITTEN_ONCE,
            READ_ONCE,
        ),
    ),
)
