"""Puzzle 29: barriers."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np

from harness.catalogue.data import factors, one_hot, one_input, out_and_expected, random_factors
from harness.catalogue.parts import ASYNCHRONY
from harness.catalogue.promises import READ_ONCE, WRITTEN_ONCE
from harness.model.case import (
    Arrays,
    Case,
    CodeClaim,
    CounterClaim,
    Dataset,
    Instance,
    Kernel,
    Need,
    ScalarArgument,
    TensorArgument,
    Within,
)
from harness.model.place import Place

__all__ = ["CASES", "PLACE"]

PLACE = Place(ASYNCHRONY, ("p13", "p28"))

TPB, SIZE, BLOCKS = 256, 1024, 4
RADIUS, ITERATIONS = 2, 3


def _datasets(documented: np.ndarray) -> tuple[Dataset, ...]:
    data = partial(one_input, "input")

    def probes(*places: int) -> np.ndarray:
        """In each block a value at another one of these places, block by block another value."""
        at = ((block * TPB + place, block + 1) for block, place in enumerate(places))
        return np.asarray(sum(one_hot((SIZE,), index, value) for index, value in at))

    apart = random_factors((SIZE,), seed=29)
    return (
        data("documented", documented, "the documents' own data"),
        data("random-29", apart, "a result within the documents' bounds that is not theirs"),
        data("opposite", -apart[::-1], "a result that drops the negative"),
        data("ramp", (np.arange(SIZE) - TPB) / 128, "a mean that takes too many or too few, or weighs them alike"),
        data("first-of-a-block", probes(0, 1, 2, 0), "another rule for the first elements of a block"),
        data("last-of-a-block", probes(255, 254, 253, 255), "a mean beyond the last element of a block"),
        data("halves", probes(127, 128, 126, 129), "an element lost between the halves of a block"),
    )


def _resolve(documented: np.ndarray, constants: dict[str, int]) -> Callable[[int], Instance]:
    def instance(width: int) -> Instance:
        return Instance(
            width=width,
            arguments=(
                TensorArgument("output", "output", (SIZE,)),
                TensorArgument("input", "input", (SIZE,)),
                ScalarArgument("size_dev", SIZE),
            ),
            constants={"TPB": TPB, "SIZE": SIZE, **constants},
            datasets=_datasets(documented),
        )

    return instance


def _means(blocks: np.ndarray, radius: int) -> np.ndarray:
    """The mean of each element and those around it, of what its block has of them."""
    stretches = [(max(at - radius, 0), at + radius + 1) for at in range(TPB)]
    return np.stack([blocks[:, first:end].mean(axis=1) for first, end in stretches], axis=1)


def _pipeline(inputs: Arrays, _width: int) -> dict[str, np.ndarray]:
    blurred = _means(inputs["input"].astype(np.float64).reshape(BLOCKS, TPB) * 1.1, RADIUS)
    smooth = blurred.copy()
    smooth[:, 1:] = (smooth[:, 1:] + blurred[:, :-1]) * 0.6
    smooth[:, :-1] = (smooth[:, :-1] + blurred[:, 1:]) * 0.6
    return {"output": smooth.ravel()}


def _stencil(inputs: Arrays, _width: int) -> dict[str, np.ndarray]:
    blocks = inputs["input"].astype(np.float64).reshape(BLOCKS, TPB)
    for _ in range(ITERATIONS):
        blocks = _means(blocks, 1)
    return {"output": blocks.ravel()}


_INDEX = np.arange(SIZE)
_ROUNDED = Within(
    rtol=2**-20,
    atol=16 * 2**-20,
    why="fewer than 16 roundings of 2^-24 each, of values below 16 on the way; without changes of sign, each of the "
    "result's own size",
)
_SHARED = "threads take what others computed from shared memory"
_ALL_ARRIVE = "the puzzle is about a barrier that counts arrivals in shared memory, where waiting is a step of its own"
_MBARRIERS = Need(
    lambda target: "async copies" in target.gpu.features,
    "barriers in shared memory need an NVIDIA GPU of compute capability 8.0 or later (nvidia:sm_80)",
)

CASES = (
    Case(
        puzzle="p29",
        mode="multi-stage",
        title="pipeline of three stages",
        steps=(Kernel("multi_stage_image_blur_pipeline", grid=BLOCKS, block=TPB),),
        resolve=_resolve(_INDEX % 10 + _INDEX / 100, {"STAGE1_THREADS": TPB // 2, "BLUR_RADIUS": RADIUS}),
        oracle=_pipeline,
        within={"output": _ROUNDED},
        printed=out_and_expected,
        draw=factors,
        claims=(
            READ_ONCE,
            WRITTEN_ONCE,
            CounterClaim(
                "a block has a buffer for each of the first two stages",
                "shared_bytes_per_block",
                lambda _: 2 * TPB * 4,
                why=_SHARED,
            ),
        ),
    ),
    Case(
        puzzle="p29",
        mode="double-buffer",
        title="stencil between two buffers",
        steps=(Kernel("double_buffered_stencil_computation", grid=BLOCKS, block=TPB),),
        resolve=_resolve(_INDEX % 20 < 10, {"STENCIL_ITERATIONS": ITERATIONS, "BUFFER_COUNT": 2}),
        oracle=_stencil,
        within={"output": _ROUNDED},
        printed=out_and_expected,
        draw=factors,
        needs=(_MBARRIERS,),
        claims=(
            READ_ONCE,
            WRITTEN_ONCE,
            CodeClaim(
                "threads arrive at barriers in shared memory and wait for their phase",
                "nvidia",
                has=("mbarrier.init", "mbarrier.arrive", "mbarrier.test_wait"),
                why=_ALL_ARRIVE,
            ),
        ),
    ),
)
