"""Puzzle 17: a custom op of MAX."""

from __future__ import annotations

import numpy as np

from harness.catalogue.data import factors, out_and_expected, patterns, random_factors
from harness.catalogue.parts import MAX_OPS
from harness.catalogue.promises import WRITTEN_ONCE
from harness.model.case import Arrays, Case, CounterClaim, Graph, Host, Instance, Launched, TensorArgument
from harness.model.place import Place

__all__ = ["CASES", "PLACE"]

PLACE = Place(MAX_OPS, ("p13",))

TPB = 15
# Elements of the vector, and weights. The documents' vector fits into one block, so that what a block needs of the next
# one is never read: the op is called for a longer one too.
SIZE, WIDE, WEIGHTS = 15, 27, 4


def _called(size: int, end: str = "") -> Host:
    return Host(
        "Conv1DCustomOp.execute",
        f"output{end} input{end} kernel",
        ('"gpu"', str(size), str(WEIGHTS)),
        (Launched("conv1d_kernel", grid=2, block=TPB),),
    )


def _instance(width: int) -> Instance:
    documented = {"input": np.arange(SIZE), "kernel": np.arange(WEIGHTS), "input_wide": np.arange(WIDE)}
    return Instance(
        width=width,
        arguments=(
            TensorArgument("output", "output", (SIZE,), form="op"),
            TensorArgument("output_wide", "output", (WIDE,), form="op"),
            *(TensorArgument(name, "input", array.shape, form="op") for name, array in documented.items()),
        ),
        constants={"TPB": TPB},
        datasets=patterns(documented, 17, random_factors),
    )


def _convolved(inputs: Arrays, _width: int) -> dict[str, np.ndarray]:
    def convolved(name: str) -> np.ndarray:
        longer = np.append(inputs[name].astype(np.float64), np.zeros(WEIGHTS - 1))
        return np.correlate(longer, inputs["kernel"].astype(np.float64), "valid")

    return {"output": convolved("input"), "output_wide": convolved("input_wide")}


CASES = (
    Case(
        puzzle="p17",
        mode=None,
        title="a convolution as an op of MAX",
        steps=(_called(SIZE), _called(WIDE, "_wide")),
        resolve=_instance,
        oracle=_convolved,
        draw=factors,
        printed=out_and_expected,
        graph=Graph(
            "conv_1d",
            "conv1d",
            "input kernel",
            parameters={"input_size": SIZE, "conv_size": WEIGHTS},
            defaults={"dtype": np.dtype(np.float32)},
        ),
        claims=(
            WRITTEN_ONCE,
            CounterClaim(
                "a block holds its share, what it needs of the next one, and the weights in shared memory",
                "shared_bytes_per_block",
                lambda _: (TPB + 2 * WEIGHTS - 1) * 4,
            ),
        ),
    ),
)
