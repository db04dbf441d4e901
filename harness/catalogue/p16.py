"""Puzzle 16: matrix products; in the documents B is 2A, which hides what the order of the factors is."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from harness.catalogue.data import random_factors
from harness.catalogue.parts import ALGORITHMS
from harness.catalogue.promises import ASYNCHRONOUS_COPIES, NO_CONFLICTS, READ_ONCE, WRITTEN_ONCE
from harness.catalogue.simple import simple
from harness.model.case import Case, CodeClaim, CounterClaim, Kernel
from harness.model.place import Place

__all__ = ["CASES", "PLACE"]

PLACE = Place(ALGORITHMS, ("p07", "p12"))

TPB, SIZE, SIZE_TILED = 3, 2, 9


def _case(mode: str, title: str, kernel: str, *claims: CounterClaim | CodeClaim, tiled: bool = False) -> Case:
    size = SIZE_TILED if tiled else SIZE
    blocks = -(-size // TPB)
    counted = np.arange(size * size, dtype=np.float32).reshape(size, size)
    return simple(
        "p16",
        title,
        Kernel(kernel, "output a b", grid=(blocks, blocks), block=(TPB, TPB), parameters={"size": size}),
        {"a": counted, "b": 2 * counted},
        lambda a, b: a @ b,
        mode=mode,
        constants={"TPB": TPB, "SIZE_TILED" if tiled else "SIZE": size},
        claims=(WRITTEN_ONCE, *claims),
        random=random_factors,
    )


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

CASES = (
    _case(
        "naive",
        "matrix product, an element for each thread",
        "naive_matmul",
        CounterClaim("a thread reads 2 x SIZE elements", "global_loads_per_thread", lambda _: 2 * SIZE),
    ),
    _case("single-block", "matrix product in one block", "single_block_matmul", READ_ONCE, _TILES),
    _case("tiled", "matrix product in tiles", "matmul_tiled", _TILED_READS, _TILES, NO_CONFLICTS, tiled=True),
    replace(
        _case(
            "idiomatic-tiled",
            "matrix product in tiles, copied asynchronously",
            "matmul_idiomatic_tiled",
            *(_TILED_READS, _TILES, NO_CONFLICTS, _COPIES),
            tiled=True,
        ),
        needs=(ASYNCHRONOUS_COPIES,),
    ),
)
