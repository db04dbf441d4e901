"""Puzzle 8: shared memory."""

from __future__ import annotations

import numpy as np

from harness.catalogue.parts import FUNDAMENTALS
from harness.catalogue.promises import READ_ONCE, WRITTEN_ONCE, shared_elements
from harness.catalogue.simple import simple
from harness.model.case import Kernel, Size
from harness.model.place import Place

__all__ = ["CASES", "PLACE"]

PLACE = Place(FUNDAMENTALS, ("p06",))

TPB, SIZE, BLOCKS = 4, 8, 2

CASES = (
    simple(
        "p08",
        "shared memory",
        Kernel("add_10_shared_tile_tensor", "output a size_dev", grid=BLOCKS, block=TPB),
        {"a": np.ones(SIZE)},
        lambda a: a + 10,
        size=Size("size_dev", SIZE),
        constants={"TPB": TPB, "SIZE": SIZE},
        claims=(WRITTEN_ONCE, READ_ONCE, shared_elements(TPB)),
    ),
)
