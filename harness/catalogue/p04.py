"""Puzzle 4: map of a matrix."""

from __future__ import annotations

import numpy as np

from harness.catalogue.parts import FUNDAMENTALS
from harness.catalogue.promises import READ_ONCE, WRITTEN_ONCE
from harness.catalogue.simple import simple
from harness.model.case import Kernel, Size
from harness.model.place import Place

__all__ = ["CASES", "PLACE"]

PLACE = Place(FUNDAMENTALS, ("p03",))

SIZE, THREADS = 2, 3

CASES = (
    simple(
        "p04",
        "map of a matrix",
        Kernel("add_10_2d", "output a size_dev", block=(THREADS, THREADS)),
        {"a": np.arange(SIZE * SIZE).reshape(SIZE, SIZE)},
        lambda a: a + 10,
        form="pointer",
        size=Size("size_dev", SIZE),
        constants={"SIZE": SIZE},
        claims=(WRITTEN_ONCE, READ_ONCE),
    ),
)
