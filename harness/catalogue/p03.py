"""Puzzle 3: guard."""

from __future__ import annotations

import numpy as np

from harness.catalogue.parts import FUNDAMENTALS
from harness.catalogue.promises import READ_ONCE, WRITTEN_ONCE
from harness.catalogue.simple import simple
from harness.model.case import Kernel, Size
from harness.model.place import Place

__all__ = ["CASES", "PLACE"]

PLACE = Place(FUNDAMENTALS, ("p01",))

SIZE, THREADS = 4, 8

CASES = (
    simple(
        "p03",
        "guard",
        Kernel("add_10_guard", "output a size_dev", block=THREADS),
        {"a": np.arange(SIZE)},
        lambda a: a + 10,
        form="pointer",
        size=Size("size_dev", SIZE),
        constants={"SIZE": SIZE},
        claims=(WRITTEN_ONCE, READ_ONCE),
    ),
)
