"""Puzzle 99: map."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from harness.catalogue.data import float_list, random_fractions
from harness.model.case import Arrays, Case, CounterClaim, Dataset, Instance, Kernel, TensorArgument

__all__ = ["CASES"]

SIZE = 4


def _instance(width: int) -> Instance:
    counted = np.arange(SIZE, dtype=np.float32)
    return Instance(
        width=width,
        arguments=(TensorArgument("output", "output", (SIZE,)), TensorArgument("a", "input", (SIZE,))),
        constants={"SIZE": SIZE},
        datasets=(
            Dataset("documented", {"a": counted}, "the documents' own data: 0..3"),
            Dataset("random-99", {"a": random_fractions((SIZE,), seed=99)}, "anything that order hides"),
        ),
    )


def _oracle(inputs: Arrays, _width: int) -> dict[str, np.ndarray]:
    return {"output": inputs["a"].astype(np.float64) + 10}


def _printed(_width: int, got: np.ndarray, expected: np.ndarray, _ok: bool) -> Sequence[str]:
    return (f"out: HostBuffer({float_list(got)})", f"expected: HostBuffer({float_list(expected)})")


CASES = (
    Case(
        puzzle="p99",
        mode=None,
        title="map",
        steps=(Kernel("add_10", "output a", block=SIZE),),
        resolve=_instance,
        oracle=_oracle,
        printed=_printed,
        claims=(CounterClaim("each input element is read once", "reads_per_input_element", lambda _: 1),),
    ),
)
