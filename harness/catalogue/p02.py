"""Puzzle 2: zip."""

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
            TensorArgument("b", "input", (SIZE,), form="pointer", mutable=True),
        ),
        constants={"SIZE": SIZE},
        datasets=patterns({"a": np.arange(SIZE), "b": np.arange(SIZE)}, seed=2),
    )


CASES = (
    Case(
        puzzle="p02",
        mode=None,
        title="zip",
        steps=(Kernel("add", "output a b", block=SIZE),),
        resolve=_instance,
        oracle=lambda inputs, _: {"output": inputs["a"].astype(np.float64) + inputs["b"]},
        printed=out_and_expected,
        claims=(
            WRITTEN_ONCE,
            READ_ONCE,
        ),
    ),
)
