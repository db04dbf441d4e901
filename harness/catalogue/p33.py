"""Cases of puzzle 33: matrix products on tensor cores and in tiles.

In the documents B is 2A, which hides the order of the factors; other data sets show it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import numpy as np

from harness.catalogue.data import FACTOR_DRAW, print_out_and_expected, random_factors
from harness.catalogue.further import make_further, with_further
from harness.catalogue.parts import FEATURES
from harness.catalogue.promises import ASYNCHRONOUS_COPIES, NO_CONFLICTS, WRITTEN_ONCE
from harness.catalogue.sizes import at_sizes, lazy_inputs
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
from harness.model.place import CoursePlace

__all__ = ["CASES", "PLACE"]

PLACE = CoursePlace(FEATURES, ("p16",))

DOCUMENTED = 1024
TILE = 32
Tiles = tuple[int, int, int, int, int]
TILES: Tiles = (128, 64, 32, 32, 32)
BM, BN, BK, WM, WN = TILES  # of the product and its factors: what a block and what a warp takes
TILE_NAMES = ("BM", "BN", "BK", "WM", "WN")
FURTHER_TILE, FURTHER_SIZE = 8, 24  # not as long as a warp, and few
MMA = (16, 8, 8)  # what a tensor core takes at once
FLATTER = (16, 8, 4)  # what it takes at further launches
CDNA = 16, 16, 4  # the same of AMD's with wavefronts of 64 lanes

# Rows and columns of the product, and what is added up for each of its elements.
Shape = tuple[int, int, int]


def _counted(shape: tuple[int, int], times: int) -> np.ndarray:
    return (np.arange(shape[0] * shape[1], dtype=np.float32) * times).reshape(shape)


def _make_permutation(shape: tuple[int, int]) -> np.ndarray:
    """Return zeros with a 1 in each column, in rows that are always the same.

    As right factor it picks columns of the left one; rows repeat if there are more columns than rows.
    """
    chosen = np.random.default_rng(33).permutation(max(shape))[: shape[1]] % shape[0]
    return np.asarray(np.arange(shape[0])[:, None] == chosen, np.float32)


def _instance(shape: Shape, names: str, constants: Mapping[str, int], width: int) -> Instance:
    rows, columns, depth = shape
    left, right, product = names.split()
    form: Form = "tile" if product == "output" else "layout"
    shapes = {left: (rows, depth), right: (depth, columns), product: (rows, columns)}

    def data(name: str, a: Callable[[], np.ndarray], b: Callable[[], np.ndarray], catches: str) -> Dataset:
        return Dataset(name, lazy_inputs(**{left: a, right: b}), catches)

    counted = (partial(_counted, shapes[left], 1), partial(_counted, shapes[right], 2))
    random = (partial(random_factors, shapes[left], 33), partial(random_factors, shapes[right], 133))
    chosen = partial(_make_permutation, shapes[right])
    return Instance(
        width=width,
        arguments=tuple(
            TensorArgument(name, "output" if name == product else "input", extents, alignment=16, form=form)
            for name, extents in shapes.items()
        ),
        constants=constants,
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


def _make_case(
    mode: str,
    title: str,
    names: str,
    kernel: Callable[[Shape], Kernel],
    small: Shape,
    *claims: CounterClaim | CodeClaim,
    further: tuple[Callable[[int], Instance], Kernel, Mapping[str, int | str]],
    **more: Any,
) -> Case:
    """Make a mode at its documented and its small size, with one further launch.

    Args:
        names: Those of the left factor, the right factor and the product, separated by spaces.
        kernel: Returns the launch for a shape.
        small: The shape at the small size; its number of rows is the constant `SIZE` there.
        claims: The promises beside `WRITTEN_ONCE`.
        further: Of the further launch: what returns its instance for a warp width, its step, and the constants of the
            file that it changes, by name.
        more: Further fields of `Case`.
    """

    def of(resolve: Callable[[int], Instance], step: Kernel) -> Case:
        return Case(
            puzzle="p33",
            mode=mode,
            title=title,
            steps=(step,),
            resolve=resolve,
            oracle=partial(_product, names),
            printed=print_out_and_expected,
            printed_output=names.split()[-1],
            draw=FACTOR_DRAW,
            claims=(WRITTEN_ONCE, *claims),
            **more,
        )

    def at(size: int) -> Case:
        shape = small if size == small[0] else (size, size, size)
        return of(partial(_instance, shape, names, {"TILE_SIZE": TILE, "SIZE": size}), kernel(shape))

    resolve, step, redefined = further
    launch = make_further(of(resolve, step), redefined)
    return with_further(at_sizes(at, "SIZE", documented=DOCUMENTED, small=small[0]), launch)


def _tiled(shape: Shape, tile: int = TILE) -> Kernel:
    rows, columns, _ = shape
    grid = columns // tile, rows // tile
    return Kernel("matmul_idiomatic_tiled", "output a b", grid=grid, block=(tile, tile), parameters={"size": rows})


def _on_tensor_cores(shape: Shape) -> Kernel:
    return _make_tiled_launch(lambda _: shape, lambda _: TILES, MMA)


def _make_tiled_launch(shape: Callable[[int], Shape], tiles: Callable[[int], Tiles], mma: Shape) -> Kernel:
    """Return the launch of a product in tiles on tensor cores.

    Args:
        shape: Returns the product's shape for a warp width.
        tiles: Returns the extents of the tiles for a warp width, as `TILE_NAMES` has them.
        mma: What a tensor core computes at once (rows, columns, depth) in warps of 32 lanes; in those of 64 it is
            `CDNA`.
    """

    def grid(width: int) -> tuple[int, int]:
        rows, columns, _ = shape(width)
        return columns // tiles(width)[1], rows // tiles(width)[0]

    def block(width: int) -> int:
        bm, bn, _, wm, wn = tiles(width)
        return (bm // wm) * (bn // wn) * width

    def parameters(width: int) -> dict[str, int | str]:
        rows, columns, depth = shape(width)
        at_once = CDNA if width == 64 else mma
        return {
            "dtype": "DType.float32",
            "layout_a": f"Layout.row_major({rows}, {depth})",
            "layout_b": f"Layout.row_major({depth}, {columns})",
            "layout_c": f"Layout.row_major({rows}, {columns})",
            **dict(zip(TILE_NAMES, tiles(width), strict=True)),
            **dict(zip(("MMA_M", "MMA_N", "MMA_K"), at_once, strict=True)),
        }

    return Kernel("tensor_core_matrix_multiplication", "A B C", grid=grid, block=block, parameters=parameters)


def _choose_other_tiles(width: int) -> Tiles:
    """Return tiles (as `TILE_NAMES` has them) in which BK, WM and WN differ from each other and, for warps of 32
    lanes, from their width; in the documented launch all of these are equal.

    They are as small as the documents' kernel takes them, and as wide as AMD's tensor cores have them.

    Args:
        width: Of a warp.
    """
    wn = width * width // 128
    return 4 * wn, 32, 64, 16, wn


def _three_blocks_shape(width: int) -> Shape:
    """Return the (rows, columns, depth) of a product that three blocks side by side compute, at a warp width."""
    bm, bn, _, _, _ = _choose_other_tiles(width)
    return bm, 3 * bn, 4 * width - 64


_FEWER: Shape = (FURTHER_SIZE, FURTHER_SIZE, FURTHER_SIZE)
_CONSTANTS = {"SIZE": FURTHER_SIZE, "TILE_SIZE": FURTHER_TILE}

CASES = (
    _make_case(
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
        further=(
            lambda width: _instance(_three_blocks_shape(width), "A B C", {}, width),
            _make_tiled_launch(_three_blocks_shape, _choose_other_tiles, FLATTER),
            {
                "SIZE": "5 * BN",  # which no matrix has
                "TILE_SIZE": "24",  # of the other mode
                **dict(zip(TILE_NAMES, ("4 * WN", 32, 64, 16, "WARP_SIZE * WARP_SIZE // 128"), strict=True)),
                "BLOCKS_PER_GRID_TENSOR_CORE": "(3, 1)",
                "MMA_K": str(FLATTER[2]),
            },
        ),
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
    _make_case(
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
        further=(
            partial(_instance, _FEWER, "a b output", _CONSTANTS),
            _tiled(_FEWER, FURTHER_TILE),
            {**_CONSTANTS, "MMA_K": "4"},  # the last one is of the other mode
        ),
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
