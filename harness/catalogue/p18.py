"""Case of puzzle 18: softmax as a custom op of MAX."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import numpy as np

from harness.catalogue.data import make_dataset, print_out_and_expected
from harness.catalogue.further import make_further, with_further
from harness.catalogue.parts import MAX_OPS
from harness.catalogue.promises import READ_ONCE
from harness.model.arguments import Form
from harness.model.case import (
    Arrays,
    Case,
    CounterClaim,
    Dataset,
    ExpectedLaunch,
    Graph,
    HostStep,
    Instance,
    Kernel,
    TensorArgument,
    Within,
)
from harness.model.place import CoursePlace

__all__ = ["CASES", "PLACE", "softmax"]

PLACE = CoursePlace(MAX_OPS, ("p12", "p17"))

SIZE = TPB = 128
CPU = "softmax_cpu_kernel"
_WITHIN = Within(
    1e-5,
    float(np.finfo(np.float32).tiny),
    "the documents' own, and the smallest normal number, below which a GPU may take a power for 0. The power of an "
    "exponent x is off by x * 2^-24 and a few of 2^-23, the sum, where it is made one after another, by 64 of 2^-24: "
    "6e-6 for exponents down to -20. Fewer elements make the sum more exact",
)


def _draw_normal(generator: np.random.Generator, size: int = SIZE) -> np.ndarray:
    return generator.standard_normal(size).astype(np.float32)


def _datasets() -> tuple[Dataset, ...]:
    documented = _draw_normal(np.random.default_rng(18))
    counted = np.arange(SIZE, dtype=np.float32) / 16
    data = partial(make_dataset, "input")
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


def _instance(size: int, tpb: int, form: Form, width: int) -> Instance:
    return Instance(
        width=width,
        arguments=(
            TensorArgument("output", "output", (size,), form=form),
            TensorArgument("input", "input", (size,), form=form),
        ),
        constants={"SIZE": SIZE, "BLOCK_DIM_X": tpb},  # the op takes the size as a parameter, and no constant
        datasets=_datasets() if size == SIZE else (),
    )


def _softmax(inputs: Arrays, _width: int) -> dict[str, np.ndarray]:
    powers = np.exp(inputs["input"].astype(np.float64) - inputs["input"].max())
    return {"output": powers / powers.sum()}


def softmax(size: int, tpb: int, grid: int = 1) -> Case:
    """Make the case of a vector of `size` elements, in `grid` blocks of `tpb` threads; the documents have one block.

    `tpb` is a power of two.
    """
    return Case(
        puzzle="p18",
        mode=None,
        title="softmax as an op of MAX",
        steps=(
            HostStep(
                "SoftmaxCustomOp.execute",
                "output input",
                ('"gpu"', str(size)),
                (ExpectedLaunch("softmax_gpu_kernel", grid=grid, block=tpb),),
                also=(CPU,),
            ),
        ),
        resolve=partial(_instance, size, tpb, "op"),
        oracle=_softmax,
        draw=lambda _instance, generator: {"input": _draw_normal(generator, size)},
        within={"output": _WITHIN},
        printed=print_out_and_expected,
        graph=Graph(
            "softmax",
            "softmax",
            "input",
            parameters={"input_size": size},
            defaults={"dtype": np.dtype(np.float32)},
            devices=("gpu", "cpu"),
        ),
        claims=(
            READ_ONCE,
            CounterClaim(
                "a block holds two values for each thread in shared memory",
                "shared_bytes_per_block",
                lambda _: 2 * tpb * 4,
            ),
        ),
    )


def _make_cpu_case(gpu: Case, size: int, tpb: int) -> Case:
    """Return a copy of `gpu` with the mode `cpu`: it launches the op's function for processors, in one thread of a GPU.

    The copy promises nothing and has no graph. `tpb` only sets a constant of the file. The simulated device has no
    memory that the processor could reach, so the op itself cannot be called.
    """
    parameters: dict[str, int | str] = {"Layout": f"type_of(row_major[{size}]())", "input_size": size}
    step = Kernel(CPU, "output input", parameters=parameters)
    resolve = partial(_instance, size, tpb, "tile")
    return replace(gpu, mode="cpu", op="", steps=(step,), resolve=resolve, claims=(), graph=None)


def _with_idle_threads(size: int, tpb: int) -> tuple[Case, Case]:
    """Make two further launches of a vector of `size` elements, fewer than `tpb`: first of the op's kernel in a block
    of `tpb` threads, then of the case of `_make_cpu_case`.

    All elements lie far below zero: a largest element that begins at zero is wrong, in an idle thread too.
    """
    gpu = replace(
        softmax(size, tpb),
        draw=lambda _instance, generator: {"input": _draw_normal(generator, size) - np.float32(1000)},
    )
    redefined = {"BLOCK_DIM_X": tpb}
    on_the_processor = make_further(_make_cpu_case(gpu, size, tpb), redefined)
    return make_further(gpu, redefined), replace(on_the_processor, further_of=gpu.id)


_GPU = softmax(SIZE, TPB)
CASES = (with_further(_GPU, _make_cpu_case(_GPU, SIZE, TPB), *_with_idle_threads(size=40, tpb=64)),)
