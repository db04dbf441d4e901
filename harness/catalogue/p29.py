"""Cases of puzzle 29: barriers in a pipeline of three stages and in a stencil between two buffers."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial

import numpy as np

from harness.catalogue.data import FACTOR_DRAW, make_dataset, one_hot, print_out_and_expected, random_factors
from harness.catalogue.further import make_further, with_further
from harness.catalogue.parts import ASYNCHRONY
from harness.catalogue.promises import READ_ONCE, WRITTEN_ONCE
from harness.catalogue.sizes import pad_masked
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
    Size,
    TensorArgument,
    Within,
)
from harness.model.place import CoursePlace

__all__ = ["CASES", "PLACE"]

PLACE = CoursePlace(ASYNCHRONY, ("p13", "p28"))

TPB, SIZE, BLOCKS = 256, 1024, 4
RADIUS, ITERATIONS = 2, 3

# The size, the threads of a block, the blocks, and how many elements a mean takes on each side.
Sizes = tuple[int, int, int, int]
DOCUMENTED: Sizes = SIZE, TPB, BLOCKS, RADIUS
FURTHER: Sizes = 130, 72, 3, 3  # the last block but one has idle threads, and the last has no others


def _datasets(documented: np.ndarray) -> tuple[Dataset, ...]:
    data = partial(make_dataset, "input")

    def probes(*places: int) -> np.ndarray:
        """Return zeros but for one element in each block: block b has b + 1 at its `places[b]`; blocks past them have
        none.
        """
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


def _instance(
    sizes: Sizes, datasets: Callable[[], tuple[Dataset, ...]], more: Mapping[str, int], width: int
) -> Instance:
    size, threads, _, _ = sizes
    return Instance(
        width=width,
        arguments=(
            TensorArgument("output", "output", (size,)),
            TensorArgument("input", "input", (size,)),
            ScalarArgument("size_dev", size),
        ),
        constants={"TPB": threads, "SIZE": size, **more},
        datasets=datasets(),
    )


def _split_into_blocks(inputs: Arrays, sizes: Sizes) -> np.ndarray:
    """Return the elements of each block, shape (blocks, threads).

    Elements from the input `size_dev` on are zero; without that input, those past the last element.
    """
    size, threads, blocks, _ = sizes
    values = np.zeros(blocks * threads)
    last = int(inputs.get("size_dev", np.asarray(size)))
    values[:last] = inputs["input"][:last]
    return values.reshape(blocks, threads)


def _mask_unwritten(blocks: np.ndarray, inputs: Arrays, sizes: Sizes) -> dict[str, np.ndarray]:
    """Return the dict of `output`: the results in `blocks` as a vector, cut to `sizes[0]` elements.

    If `size_dev` is among `inputs`, elements from there on are masked: nothing may write them.
    """
    size = sizes[0]
    return {"output": pad_masked(blocks.ravel()[: int(inputs.get("size_dev", np.asarray(size)))], (size,))}


def _compute_means(blocks: np.ndarray, radius: int) -> np.ndarray:
    """Return for each element the mean of it and of up to `radius` neighbours on each side in its row (a block).

    At the ends of a row fewer elements are added, and the sum is divided by their number.
    """
    stretches = [(max(at - radius, 0), at + radius + 1) for at in range(blocks.shape[1])]
    return np.stack([blocks[:, first:end].mean(axis=1) for first, end in stretches], axis=1)


def _pipeline(sizes: Sizes, inputs: Arrays, _width: int) -> dict[str, np.ndarray]:
    blurred = _compute_means(_split_into_blocks(inputs, sizes) * 1.1, sizes[-1])
    smooth = blurred.copy()
    smooth[:, 1:] = (smooth[:, 1:] + blurred[:, :-1]) * 0.6
    smooth[:, :-1] = (smooth[:, :-1] + blurred[:, 1:]) * 0.6
    return _mask_unwritten(smooth, inputs, sizes)


def _stencil(sizes: Sizes, inputs: Arrays, _width: int) -> dict[str, np.ndarray]:
    blocks = _split_into_blocks(inputs, sizes)
    for _ in range(ITERATIONS):
        blocks = _compute_means(blocks, 1)
    return _mask_unwritten(blocks, inputs, sizes)


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


def _at_both(make: Callable[[Sizes], Case]) -> Case:
    size, threads, blocks, radius = FURTHER
    redefined: dict[str, int | str] = {
        "SIZE": size,
        "TPB": threads,
        "BLOCKS_PER_GRID": f"({blocks}, 1)",
        "BLUR_RADIUS": radius,
    }
    further = replace(make(FURTHER), size=Size("size_dev", size))
    return with_further(make(DOCUMENTED), make_further(further, redefined))


def _multi_stage(sizes: Sizes) -> Case:
    _, threads, blocks, radius = sizes
    documented = partial(_datasets, _INDEX % 10 + _INDEX / 100) if sizes == DOCUMENTED else tuple
    return Case(
        puzzle="p29",
        mode="multi-stage",
        title="pipeline of three stages",
        steps=(Kernel("multi_stage_image_blur_pipeline", grid=blocks, block=threads),),
        resolve=partial(_instance, sizes, documented, {"STAGE1_THREADS": threads // 2, "BLUR_RADIUS": radius}),
        oracle=partial(_pipeline, sizes),
        within={"output": _ROUNDED},
        printed=print_out_and_expected,
        draw=FACTOR_DRAW,
        claims=(
            READ_ONCE,
            WRITTEN_ONCE,
            CounterClaim(
                "a block has a buffer for each of the first two stages",
                "shared_bytes_per_block",
                lambda _: 2 * threads * 4,
                why=_SHARED,
            ),
        ),
    )


def _double_buffer(sizes: Sizes) -> Case:
    _, threads, blocks, _ = sizes
    documented = partial(_datasets, _INDEX % 20 < 10) if sizes == DOCUMENTED else tuple
    return Case(
        puzzle="p29",
        mode="double-buffer",
        title="stencil between two buffers",
        steps=(Kernel("double_buffered_stencil_computation", grid=blocks, block=threads),),
        resolve=partial(_instance, sizes, documented, {"STENCIL_ITERATIONS": ITERATIONS, "BUFFER_COUNT": 2}),
        oracle=partial(_stencil, sizes),
        within={"output": _ROUNDED},
        printed=print_out_and_expected,
        draw=FACTOR_DRAW,
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
    )


CASES = (_at_both(_multi_stage), _at_both(_double_buffer))
