"""Puzzle 1: map."""

from __future__ import annotations

import numpy as np

from harness.catalogue.data import out_and_expected, patterns
from harness.catalogue.promises import READ_ONCE, WRITTEN_ONCE
from harness.model.case import Case, Instance, Kernel, TensorArgument

__all__ = ["CASES"]

SIZE = 4


def _instance(width: int) -> Instance:
    return Instance(
        width=width,
        arguments=(
            TensorArgument("output", "output", (SIZE,), form="pointer"),
            TensorArgument("a", "input", (SIZE,), form="pointer", mutable=True),
        ),
        constants={"SIZE": SIZE},
        datasets=patterns({"a": np.arange(SIZE)}, seed=1),
    )


CASES = (
    Case(
        puzzle="p01",
        mode=None,
        title="map",
        steps=(Kernel("add_10", "output a", block=SIZE),),
        resolve=_instance,
        oracle=lambda inputs, _: {"output": inputs["a"].astype(np.float64) + 10},
        printed=out_and_expected,
        claims=(
            WRITTEN_ONCE,
            READ_ONCE,
        ),
    ),
)
