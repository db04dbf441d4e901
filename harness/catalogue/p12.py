"""Puzzle 12: dot product."""

from __future__ import annotations

import numpy as np

from harness.catalogue.data import factors, out_and_expected, patterns, random_factors
from harness.catalogue.promises import READ_ONCE, WRITTEN_ONCE, shared_elements
from harness.model.case import Case, Instance, Kernel, ScalarArgument, TensorArgument

__all__ = ["CASES"]

TPB, SIZE = 8, 8


def _instance(width: int) -> Instance:
    return Instance(
        width=width,
        arguments=(
            TensorArgument("output", "output", (1,)),
            TensorArgument("a", "input", (SIZE,)),
            TensorArgument("b", "input", (SIZE,)),
            ScalarArgument("size_dev", SIZE),
        ),
        constants={"TPB": TPB, "SIZE": SIZE},
        datasets=patterns({"a": np.arange(SIZE), "b": np.arange(SIZE)}, seed=12, random=random_factors),
    )


CASES = (
    Case(
        puzzle="p12",
        mode=None,
        title="dot product",
        steps=(Kernel("dot_product", "output a b size_dev", block=TPB),),
        resolve=_instance,
        oracle=lambda inputs, _: {"output": np.array([inputs["a"].astype(np.float64) @ inputs["b"]])},
        draw=factors,
        printed=out_and_expected,
        claims=(
            WRITTEN_ONCE,
            READ_ONCE,
            shared_elements(TPB),
        ),
    ),
)
