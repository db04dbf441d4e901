"""Puzzle 7: blocks of a matrix."""

from __future__ import annotations

import numpy as np

from harness.catalogue.parts import FUNDAMENTALS
from harness.catalogue.promises import READ_ONCE, WRITTEN_ONCE
from harness.catalogue.simple import simple
from harness.model.case import Kernel, Size
from harness.model.place import Place

__all__ = ["CASES", "PLACE"]

PLACE = Place(FUNDAMENTALS, ("p04", "p06"))

SIZE, BLOCKS, THREADS = 5, 2, 3

CASES = (
    simple(
        "p07",
        "blocks of a matrix",
        Kernel("add_10_blocks_2d", "output a size_dev", grid=(BLOCKS, BLOCKS), block=(THREADS, THREADS)),
        {"a": np.arange(SIZE * SIZE).reshape(SIZE, SIZE)},
        lambda a: a + 10,
        size=Size("size_dev", SIZE),
        constants={"SIZE": SIZE},
        claims=(WRITTEN_ONCE, READ_ONCE),
    ),
)
