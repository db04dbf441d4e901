"""Puzzle 12: dot product."""

from __future__ import annotations

import numpy as np

from harness.catalogue.data import random_factors
from harness.catalogue.parts import ALGORITHMS
from harness.catalogue.promises import READ_ONCE, WRITTEN_ONCE, shared_elements
from harness.catalogue.simple import simple
from harness.model.case import Kernel, Size
from harness.model.place import Place

__all__ = ["CASES", "PLACE"]

PLACE = Place(ALGORITHMS, ("p02", "p08"))

TPB, SIZE = 8, 8

CASES = (
    simple(
        "p12",
        "dot product",
        Kernel("dot_product", "output a b size_dev", block=TPB),
        {"a": np.arange(SIZE), "b": np.arange(SIZE)},
        lambda a, b: np.array([a @ b]),
        size=Size("size_dev", SIZE),
        constants={"TPB": TPB, "SIZE": SIZE},
        claims=(WRITTEN_ONCE, READ_ONCE, shared_elements(TPB)),
        random=random_factors,
    ),
)
