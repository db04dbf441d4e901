"""Cases of puzzle 16: matrix products, naive, in one block and in tiles.

In the documents B is 2A, which hides the order of the factors; other data sets show it.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from harness.catalogue.data import random_factors
from harness.catalogue.further import make_further, with_further
from harness.catalogue.parts import ALGORITHMS
from harness.catalogue.promises import ASYNCHRONOUS_COPIES, NO_CONFLICTS, READ_ONCE, WRITTEN_ONCE
from harness.catalogue.simple import make_simple_case
from harness.model.case import Case, CodeClaim, CounterClaim, Kernel
from harness.model.place import CoursePlace

__all__ = ["CASES", "PLACE", "case_at"]

PLACE = CoursePlace(ALGORITHMS, ("p07", "p12"))

TPB, SIZE, SIZE_TILED = 3, 2, 9


def case_at(mode: str, size: int, blocks: tuple[int, int]) -> Case:
    """Make the case of a mode at a number of rows and columns, and of blocks in x and y.

    The mode is `naive`, `single-block`, `tiled` or `idiomatic-tiled`. Blocks have `TPB` threads in x and in y. The
    promises are those of the documented size, whatever `size` is.
    """
    title, kernel, claims = _MODES[mode]
    counted = np.arange(size * size, dtype=np.float32).reshape(size, size)
    result = make_simple_case(
        "p16",
        title,
        Kernel(kernel, "output a b", grid=blocks, block=(TPB, TPB), parameters={"size": size}),
        {"a": counted, "b": 2 * counted},
        lambda a, b: a @ b,
        mode=mode,
        constants={"TPB": TPB, "SIZE_TILED" if "tiled" in mode else "SIZE": size},
        claims=(WRITTEN_ONCE, *claims),
        random=random_factors,
    )
    return replace(result, needs=(ASYNCHRONOUS_COPIES,)) if mode == "idiomatic-tiled" else result


def _small(mode: str, size: int, blocks: tuple[int, int]) -> Case:
    changed: dict[str, int | str] = {"BLOCKS_PER_GRID": str(blocks), "SIZE": size, "SIZE_TILED": 12}
    return with_further(case_at(mode, SIZE, (1, 1)), make_further(case_at(mode, size, blocks), changed))


def _tiled(mode: str, size: int, blocks: tuple[int, int]) -> Case:
    changed: dict[str, int | str] = {"BLOCKS_PER_GRID_TILED": str(blocks), "SIZE_TILED": size, "SIZE": 5}
    return with_further(case_at(mode, SIZE_TILED, (3, 3)), make_further(case_at(mode, size, blocks), changed))


_SHARED = "what a block has in shared memory, its threads read there as often as they need it"
_TILES = CounterClaim(
    "a block holds a tile of each factor in shared memory",
    "shared_bytes_per_block",
    lambda _: 2 * TPB * TPB * 4,
    why=_SHARED,
)
_TILED_READS = CounterClaim(
    "each input element is read once by each block that needs it",
    "reads_per_input_element",
    lambda _: SIZE_TILED // TPB,
    why=_SHARED,
)
_COPIES = CodeClaim(
    "tiles are copied asynchronously",
    "nvidia",
    has=("cp.async.",),
    why="the puzzle is about copies that go past the registers, and that a thread need not wait for at once",
)

_MODES: dict[str, tuple[str, str, tuple[CounterClaim | CodeClaim, ...]]] = {
    "naive": (
        "matrix product, an element for each thread",
        "naive_matmul",
        (CounterClaim("a thread reads 2 x SIZE elements", "global_loads_per_thread", lambda _: 2 * SIZE),),
    ),
    "single-block": ("matrix product in one block", "single_block_matmul", (READ_ONCE, _TILES)),
    "tiled": ("matrix product in tiles", "matmul_tiled", (_TILED_READS, _TILES, NO_CONFLICTS)),
    "idiomatic-tiled": (
        "matrix product in tiles, copied asynchronously",
        "matmul_idiomatic_tiled",
        (_TILED_READS, _TILES, NO_CONFLICTS, _COPIES),
    ),
}

# Elsewhere than in the last mode, whose copies have no guard, the last blocks have nothing to do.
CASES = (
    _small("naive", 6, (4, 5)),
    _small("single-block", 3, (2, 3)),
    _tiled("tiled", 6, (4, 5)),
    _tiled("idiomatic-tiled", 6, (2, 2)),
)
