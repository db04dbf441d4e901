"""Puzzle 6: blocks."""

from __future__ import annotations

import numpy as np

from harness.catalogue.parts import FUNDAMENTALS
from harness.catalogue.promises import READ_ONCE, WRITTEN_ONCE
from harness.catalogue.simple import simple
from harness.model.case import Kernel, Size
from harness.model.place import Place

__all__ = ["CASES", "PLACE"]

PLACE = Place(FUNDAMENTALS, ("p03",))

SIZE, BLOCKS, THREADS = 9, 3, 4

CASES = (
    simple(
        "p06",
        "blocks",
        Kernel("add_10_blocks", "output a size_dev", grid=BLOCKS, block=THREADS),
        {"a": np.arange(SIZE)},
        lambda a: a + 10,
        form="pointer",
        size=Size("size_dev", SIZE),
        constants={"SIZE": SIZE},
        claims=(WRITTEN_ONCE, READ_ONCE),
    ),
)
