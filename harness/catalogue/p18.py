"""Puzzle 18: softmax as a custom op of MAX."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import numpy as np

from harness.catalogue.data import one_input, out_and_expected
from harness.catalogue.further import with_further
from harness.catalogue.parts import MAX_OPS
from harness.catalogue.promises import READ_ONCE
from harness.model.case import (
    Arrays,
    Case,
    CounterClaim,
    Dataset,
    Graph,
    Host,
    Instance,
    Kernel,
    Launched,
    TensorArgument,
    Within,
)
from harness.model.place import Place

__all__ = ["CASES", "PLACE"]

PLACE = Place(MAX_OPS, ("p12", "p17"))

SIZE = TPB = 128
CPU = "softmax_cpu_kernel"
_WITHIN = Within(
    1e-5,
    float(np.finfo(np.float32).tiny),
    "the documents' own, and the smallest normal number, below which a GPU may take a power for 0. The power of an "
    "exponent x is off by x * 2^-24 and a few of 2^-23, the sum, where it is made one after another, by 64 of 2^-24: "
    "6e-6 for exponents down to -20",
)


def _drawn(generator: np.random.Generator) -> np.ndarray:
    return generator.standard_normal(SIZE).astype(np.float32)


def _datasets() -> tuple[Dataset, ...]:
    documented = _drawn(np.random.default_rng(18))
    counted = np.arange(SIZE, dtype=np.float32) / 16
    data = partial(one_input, "input")
    return (
        data("documented", documented, "the documents' own data, which are random"),
        data("far-right", documented + 1000, "powers of the elements themselves, which are too large to be held"),
        data("far-left", documented - 1000, "a largest element that begins at zero"),
        data("constant", np.full(SIZE, 3.0), "a sum that leaves elements out"),
        data("rising", counted, "a largest element of the first ones alone"),
        data("falling", counted[::-1], "a largest element of the last ones alone"),
        data("one-large", np.where(np.arange(SIZE) == 77, 80.0, documented), "a largest element that is left out"),
        data("one-left", np.where(np.arange(SIZE) == 5, 0.0, -np.inf), "an element of no power, taken for another"),
    )


def _instance(width: int) -> Instance:
    return Instance(
        width=width,
        arguments=(
            TensorArgument("output", "output", (SIZE,), form="op"),
            TensorArgument("input", "input", (SIZE,), form="op"),
        ),
        constants={"SIZE": SIZE, "BLOCK_DIM_X": TPB},
        datasets=_datasets(),
    )


def _on_the_processor(gpu: Case) -> Case:
    """What the op calls with `cpu`: compiled for the GPU it is the same function, and one thread is the processor.

    The simulated device has no memory that the processor could reach, so that the op itself cannot be called so.
    """

    def resolve(width: int) -> Instance:
        tensors = (
            TensorArgument("output", "output", (SIZE,)),
            TensorArgument("input", "input", (SIZE,)),
        )
        return replace(gpu.instance(width), arguments=tensors)

    parameters: dict[str, int | str] = {"Layout": f"type_of(row_major[{SIZE}]())", "input_size": SIZE}
    step = Kernel(CPU, "output input", parameters=parameters)
    return replace(gpu, mode="cpu", op="", steps=(step,), resolve=resolve, claims=(), graph=None)


def _softmax(inputs: Arrays, _width: int) -> dict[str, np.ndarray]:
    powers = np.exp(inputs["input"].astype(np.float64) - inputs["input"].max())
    return {"output": powers / powers.sum()}


_GPU = Case(
    puzzle="p18",
    mode=None,
    title="softmax as an op of MAX",
    steps=(
        Host(
            "SoftmaxCustomOp.execute",
            "output input",
            ('"gpu"', str(SIZE)),
            (Launched("softmax_gpu_kernel", grid=1, block=TPB),),
            also=(CPU,),
        ),
    ),
    resolve=_instance,
    oracle=_softmax,
    draw=lambda _instance, generator: {"input": _drawn(generator)},
    within={"output": _WITHIN},
    printed=out_and_expected,
    graph=Graph(
        "softmax",
        "softmax",
        "input",
        parameters={"input_size": SIZE},
        defaults={"dtype": np.dtype(np.float32)},
        devices=("gpu", "cpu"),
    ),
    claims=(
        READ_ONCE,
        CounterClaim(
            "a block holds two values for each thread in shared memory",
            "shared_bytes_per_block",
            lambda _: 2 * TPB * 4,
        ),
    ),
)
CASES = (with_further(_GPU, _on_the_processor(_GPU)),)
