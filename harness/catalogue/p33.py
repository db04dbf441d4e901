"""Puzzle 33: tensor cores; in the documents B is 2A, which hides what the order of the factors is."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from harness.catalogue.data import factors, out_and_expected, random_factors
from harness.catalogue.parts import FEATURES
from harness.catalogue.promises import ASYNCHRONOUS_COPIES, NO_CONFLICTS, WRITTEN_ONCE
from harness.catalogue.sizes import at_sizes, made_late
from harness.model.arguments import Form
from harness.model.case import (
    Arrays,
    Case,
    CodeClaim,
    CounterClaim,
    Dataset,
    Instance,
    Kernel,
    Need,
    TensorArgument,
    Within,
)
from harness.model.place import Place

__all__ = ["CASES", "PLACE"]

PLACE = Place(FEATURES, ("p16",))

DOCUMENTED = 1024
TILE = 32
BM, BN, BK, WM, WN = 128, 64, 32, 32, 32  # of the product and its factors: what a block and what a warp takes
MMA = (16, 8, 8)  # what a tensor core takes at once
CDNA = 16, 16, 4  # the same of AMD's with wavefronts of 64 lanes
WARPS = (BM // WM) * (BN // WN)

# Rows and columns of the product, and what is added up for each of its elements.
Shape = tuple[int, int, int]


def _counted(shape: tuple[int, int], times: int) -> np.ndarray:
    return (np.arange(shape[0] * shape[1], dtype=np.float32) * times).reshape(shape)


def _one_in_each_column(shape: tuple[int, int]) -> np.ndarray:
    """A right factor that takes columns of the left one in an order of its own."""
    chosen = np.random.default_rng(33).permutation(max(shape))[: shape[1]] % shape[0]
    return np.asarray(np.arange(shape[0])[:, None] == chosen, np.float32)


def _instance(shape: Shape, names: str, width: int) -> Instance:
    rows, columns, depth = shape
    left, right, product = names.split()
    form: Form = "tile" if product == "output" else "layout"
    shapes = {left: (rows, depth), right: (depth, columns), product: (rows, columns)}

    def data(name: str, a: Callable[[], np.ndarray], b: Callable[[], np.ndarray], catches: str) -> Dataset:
        return Dataset(name, made_late(**{left: a, right: b}), catches)

    counted = (partial(_counted, shapes[left], 1), partial(_counted, shapes[right], 2))
    random = (partial(random_factors, shapes[left], 33), partial(random_factors, shapes[right], 133))
    chosen = partial(_one_in_each_column, shapes[right])
    return Instance(
        width=width,
        arguments=tuple(
            TensorArgument(name, "output" if name == product else "input", extents, alignment=16, form=form)
            for name, extents in shapes.items()
        ),
        constants={"TILE_SIZE": TILE, "SIZE": shape[0]},
        datasets=(
            data("documented", *counted, "the documents' own data"),
            data("random-33", *random, "the factors swapped, a product left out"),
            data("chosen-columns", random[0], chosen, "a row or a column in the wrong place"),
        ),
    )


def _product(names: str, inputs: Arrays, _width: int) -> dict[str, np.ndarray]:
    left, right, product = names.split()
    return {product: inputs[left].astype(np.float64) @ inputs[right].astype(np.float64)}


_SHARED = "what a block has in shared memory, its threads read there as often as they need it"
_COPIES = CodeClaim(
    "tiles are copied asynchronously",
    "nvidia",
    has=("cp.async.",),
    why="the puzzle is about copies that go past the registers, and that a thread need not wait for at once",
)
_AT_ONCE = "a tensor core does 1,024 multiplications and additions in one instruction of a warp"
_TENSOR_CORES = Need(
    lambda target: target.warp_width == 64 or (target.vendor == "nvidia" and "async copies" in target.gpu.features),
    "tensor cores take 32-bit numbers on NVIDIA GPUs of compute capability 8.0 or later (nvidia:sm_80) "
    "and on AMD's CDNA (amd:gfx942)",
)


def _case(
    mode: str,
    title: str,
    names: str,
    kernel: Callable[[Shape], Kernel],
    small: Shape,
    *claims: CounterClaim | CodeClaim,
    **more: Any,
) -> Case:
    def at(size: int) -> Case:
        shape = small if size == small[0] else (size, size, size)
        return Case(
            puzzle="p33",
            mode=mode,
            title=title,
            steps=(kernel(shape),),
            resolve=partial(_instance, shape, names),
            oracle=partial(_product, names),
            printed=out_and_expected,
            printed_output=names.split()[-1],
            draw=factors,
            claims=(WRITTEN_ONCE, *claims),
            **more,
        )

    return at_sizes(at, "SIZE", documented=DOCUMENTED, small=small[0])


def _tiled(shape: Shape) -> Kernel:
    rows, columns, _ = shape
    grid = columns // TILE, rows // TILE
    return Kernel("matmul_idiomatic_tiled", "output a b", grid=grid, block=(TILE, TILE), parameters={"size": rows})


def _on_tensor_cores(shape: Shape) -> Kernel:
    rows, columns, depth = shape
    parameters: dict[str, int | str] = {
        "dtype": "DType.float32",
        "layout_a": f"Layout.row_major({rows}, {depth})",
        "layout_b": f"Layout.row_major({depth}, {columns})",
        "layout_c": f"Layout.row_major({rows}, {columns})",
        **dict(zip(("BM", "BN", "BK", "WM", "WN"), (BM, BN, BK, WM, WN), strict=True)),
    }

    def with_tile(width: int) -> dict[str, int | str]:
        return parameters | dict(zip(("MMA_M", "MMA_N", "MMA_K"), MMA if width == 32 else CDNA, strict=True))

    return Kernel(
        "tensor_core_matrix_multiplication",
        "A B C",
        grid=(columns // BN, rows // BM),
        block=lambda width: WARPS * width,
        parameters=with_tile,
    )


CASES = (
    _case(
        "tensor-core",
        "matrix product on tensor cores",
        "A B C",
        _on_tensor_cores,
        # Two blocks and two steps in each direction; the kernel takes matrices of any shape.
        (2 * BM, 2 * BN, 2 * BK),
        CounterClaim(
            "a block holds a tile of each factor in shared memory",
            "shared_bytes_per_block",
            lambda _: (BM * BK + BK * BN) * 4,
            why=_SHARED,
        ),
        CodeClaim(
            "tensor cores multiply",
            "nvidia",
            has=("mma.sync.aligned.m16n8k8",),
            why=_AT_ONCE,
        ),
        CodeClaim("tensor cores multiply", "amd", has=("v_mfma_f32_16x16x4",), why=_AT_ONCE),
        _COPIES,
        needs=(_TENSOR_CORES,),
        within={
            "C": Within(
                rtol=2**-8.9,
                atol=0,
                why="tensor cores take 10 of the 23 bits behind the point, of each of two factors: 2^-10 each, of "
                "products of one sign; the other data has no more bits",
                data=("documented",),
            )
        },
    ),
    _case(
        "tiled",
        "matrix product in tiles of 32",
        "a b output",
        _tiled,
        (2 * TILE, 2 * TILE, 2 * TILE),
        CounterClaim(
            "a block holds a tile of each factor in shared memory",
            "shared_bytes_per_block",
            lambda _: 2 * TILE * TILE * 4,
            why=_SHARED,
        ),
        NO_CONFLICTS,
        _COPIES,
        needs=(ASYNCHRONOUS_COPIES,),
        within={
            "output": Within(
                rtol=2**-14 + 2**-23,
                atol=0,
                why="a rounding of 2^-24 for each of 1,024 additions and a product, of numbers of one sign; sums "
                "of the other data are exact",
                data=("documented",),
            )
        },
    ),
)
