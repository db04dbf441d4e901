"""Puzzle 11: pooling."""

from __future__ import annotations

import numpy as np

from harness.catalogue.data import out_and_expected, patterns
from harness.catalogue.promises import READ_ONCE, WRITTEN_ONCE, shared_elements
from harness.model.case import Case, Instance, Kernel, ScalarArgument, TensorArgument

__all__ = ["CASES"]

TPB, SIZE = 8, 8


def _instance(width: int) -> Instance:
    return Instance(
        width=width,
        arguments=(
            TensorArgument("output", "output", (SIZE,)),
            TensorArgument("a", "input", (SIZE,)),
            ScalarArgument("size_dev", SIZE),
        ),
        constants={"TPB": TPB, "SIZE": SIZE},
        datasets=patterns({"a": np.arange(SIZE)}, seed=11),
    )


CASES = (
    Case(
        puzzle="p11",
        mode=None,
        title="pooling",
        steps=(Kernel("pooling", "output a size_dev", block=TPB),),
        resolve=_instance,
        oracle=lambda inputs, _: {"output": np.convolve(inputs["a"].astype(np.float64), np.ones(3))[:SIZE]},
        printed=out_and_expected,
        claims=(
            WRITTEN_ONCE,
            READ_ONCE,
            shared_elements(TPB),
        ),
    ),
)
