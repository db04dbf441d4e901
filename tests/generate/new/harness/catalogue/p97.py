"""Puzzle 97: two launches."""

from __future__ import annotations

import numpy as np

from harness.catalogue.data import make_datasets, print_out_and_expected
from harness.catalogue.promises import READ_ONCE
from harness.model.case import Case, Instance, Kernel, TensorArgument

__all__ = ["CASES"]

SIZE = 4


def _instance(width: int) -> Instance:
    return Instance(
        width=width,
        arguments=(TensorArgument("output", "output", (SIZE,)), TensorArgument("a", "input", (SIZE,))),
        constants={"SIZE": SIZE},
        datasets=make_datasets({"a": np.arange(SIZE)}, seed=97),
    )


CASES = (
    Case(
        puzzle="p97",
        mode=None,
        title="map, twice",
        steps=(Kernel("add_10", "output a", block=SIZE), Kernel("double", "output", block=SIZE)),
        resolve=_instance,
        oracle=lambda inputs, _: {"output": (inputs["a"].astype(np.float64) + 10) * 2},
        printed=print_out_and_expected,
        claims=(READ_ONCE,),
    ),
)
