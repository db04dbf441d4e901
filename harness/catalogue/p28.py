"""Case of puzzle 28: a convolution with asynchronous copies."""

from __future__ import annotations

from functools import partial

import numpy as np

from harness.catalogue.data import FACTOR_DRAW, make_datasets, print_out_and_expected, random_factors
from harness.catalogue.further import make_further, with_further
from harness.catalogue.parts import ASYNCHRONY
from harness.catalogue.promises import ASYNCHRONOUS_COPIES, NO_CONFLICTS, WRITTEN_ONCE
from harness.model.case import (
    Arrays,
    Case,
    CodeClaim,
    CounterClaim,
    Dataset,
    Instance,
    Kernel,
    TensorArgument,
)
from harness.model.place import CoursePlace

__all__ = ["CASES", "PLACE", "case_at"]

PLACE = CoursePlace(ASYNCHRONY, ("p13", "p16"))

SIZE, TILE, WEIGHTS = 16384, 256, 5
_HALO = WEIGHTS // 2


def _datasets(size: int) -> tuple[Dataset, ...]:
    documented = {"input": np.arange(1, size + 1), "kernel": np.arange(1, WEIGHTS + 1)}
    # Each tile other values than the one before it, and its ends others than what lies next to them.
    apart = random_factors((size,), seed=128)
    last = np.zeros(WEIGHTS, np.float32)
    last[-1] = 1
    return (
        *make_datasets(documented, seed=28, random=random_factors),
        Dataset("last-weight-alone", {"input": apart, "kernel": last}, "a sum that ends one weight too early"),
    )


def _instance(size: int, tile: int, width: int) -> Instance:
    return Instance(
        width=width,
        arguments=(
            TensorArgument("output", "output", (size,)),
            TensorArgument("input", "input", (size,)),
            TensorArgument("kernel", "input", (WEIGHTS,), form="layout"),
        ),
        constants={
            "VECTOR_SIZE": size,
            "CONV_TILE_SIZE": tile,
            "KERNEL_SIZE": WEIGHTS,
            "HALO_SIZE": _HALO,
            "THREADS_PER_BLOCK_ASYNC": tile,
        },
        datasets=_datasets(size),
    )


def _oracle(tile: int, inputs: Arrays, _width: int) -> dict[str, np.ndarray]:
    tiles = inputs["input"].astype(np.float64).reshape(-1, tile)
    sums = sum(
        weight * tiles[:, k : tile - 2 * _HALO + k] for k, weight in enumerate(inputs["kernel"].astype(np.float64))
    )
    output = tiles.copy()
    output[:, _HALO:-_HALO] = sums
    return {"output": output.ravel()}


_PAST_REGISTERS = "the puzzle is about copies that go on while the thread does something else"


def case_at(size: int, tile: int) -> Case:
    """Make the case of `size` elements in tiles of `tile` elements; each tile has a block with a thread per element.

    `tile` divides `size`.
    """
    blocks = size // tile
    return Case(
        puzzle="p28",
        mode=None,
        title="convolution with an overlapped asynchronous copy",
        steps=(
            Kernel(
                "async_copy_overlap_convolution",
                grid=blocks,
                block=tile,
                parameters={"dtype": "DType.float32"},
            ),
        ),
        resolve=partial(_instance, size, tile),
        oracle=partial(_oracle, tile),
        printed=print_out_and_expected,
        draw=FACTOR_DRAW,
        needs=(ASYNCHRONOUS_COPIES,),
        claims=(
            WRITTEN_ONCE,
            CounterClaim(
                "a block keeps its tile and the weights in shared memory",
                "shared_bytes_per_block",
                lambda _: (tile + WEIGHTS) * 4,
                why="each element of a tile is needed by five threads and each weight by all of them",
            ),
            CounterClaim(
                "each element is loaded once, and the weights once by each block",
                "global_loads",
                lambda _: size + WEIGHTS * blocks,
                why="each element of a tile is needed by five threads and each weight by all of them",
            ),
            NO_CONFLICTS,
            CodeClaim(
                "the tile is copied without a detour through registers",
                "nvidia",
                has=("cp.async.",),
                why=_PAST_REGISTERS,
            ),
        ),
    )


CASES = (
    with_further(
        case_at(SIZE, TILE),
        make_further(case_at(288, 96), {"VECTOR_SIZE": 288, "CONV_TILE_SIZE": 96, "THREADS_PER_BLOCK_ASYNC": 96}),
    ),
)
