"""Puzzle 5: broadcast."""

from __future__ import annotations

import numpy as np

from harness.catalogue.data import out_and_expected, patterns
from harness.catalogue.promises import WRITTEN_ONCE
from harness.model.case import Case, Instance, Kernel, ScalarArgument, TensorArgument

__all__ = ["CASES"]

SIZE, THREADS = 2, 3


def _instance(width: int) -> Instance:
    return Instance(
        width=width,
        arguments=(
            TensorArgument("output", "output", (SIZE, SIZE)),
            TensorArgument("a", "input", (1, SIZE)),
            TensorArgument("b", "input", (SIZE, 1)),
            ScalarArgument("size_dev", SIZE),
        ),
        constants={"SIZE": SIZE},
        datasets=patterns({"a": np.array([[1, 2]]), "b": np.array([[0], [10]])}, seed=5),
    )


CASES = (
    Case(
        puzzle="p05",
        mode=None,
        title="broadcast",
        steps=(Kernel("broadcast_add", "output a b size_dev", block=(THREADS, THREADS)),),
        resolve=_instance,
        oracle=lambda inputs, _: {"output": inputs["a"].astype(np.float64) + inputs["b"]},
        printed=out_and_expected,
        claims=(WRITTEN_ONCE,),
    ),
)
