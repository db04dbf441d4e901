"""Puzzle 3: guard."""

from __future__ import annotations

import numpy as np

from harness.catalogue.data import out_and_expected, patterns
from harness.catalogue.promises import READ_ONCE, WRITTEN_ONCE
from harness.model.case import Case, Instance, Kernel, ScalarArgument, TensorArgument

__all__ = ["CASES"]

SIZE, THREADS = 4, 8


def _instance(width: int) -> Instance:
    return Instance(
        width=width,
        arguments=(
            TensorArgument("output", "output", (SIZE,), form="pointer"),
            TensorArgument("a", "input", (SIZE,), form="pointer", mutable=True),
            ScalarArgument("size_dev", SIZE),
        ),
        constants={"SIZE": SIZE},
        datasets=patterns({"a": np.arange(SIZE)}, seed=3),
    )


CASES = (
    Case(
        puzzle="p03",
        mode=None,
        title="guard",
        steps=(Kernel("add_10_guard", "output a size_dev", block=THREADS),),
        resolve=_instance,
        oracle=lambda inputs, _: {"output": inputs["a"].astype(np.float64) + 10},
        printed=out_and_expected,
        claims=(
            WRITTEN_ONCE,
            READ_ONCE,
        ),
    ),
)
