"""Puzzle 5: broadcast."""

from __future__ import annotations

import numpy as np

from harness.catalogue.parts import FUNDAMENTALS
from harness.catalogue.promises import WRITTEN_ONCE
from harness.catalogue.simple import simple
from harness.model.case import Kernel, Size
from harness.model.place import Place

__all__ = ["CASES", "PLACE"]

PLACE = Place(FUNDAMENTALS, ("p02", "p04"))

SIZE, THREADS = 2, 3

CASES = (
    simple(
        "p05",
        "broadcast",
        Kernel("broadcast_add", "output a b size_dev", block=(THREADS, THREADS)),
        {"a": np.array([[1, 2]]), "b": np.array([[0], [10]])},
        lambda a, b: a + b,
        size=Size("size_dev", SIZE),
        constants={"SIZE": SIZE},
        claims=(WRITTEN_ONCE,),
    ),
)
