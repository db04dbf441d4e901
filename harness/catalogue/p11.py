"""Puzzle 11: pooling."""

from __future__ import annotations

import numpy as np

from harness.catalogue.parts import ALGORITHMS
from harness.catalogue.promises import READ_ONCE, WRITTEN_ONCE, shared_elements
from harness.catalogue.simple import simple
from harness.model.case import Kernel, Size
from harness.model.place import Place

__all__ = ["CASES", "PLACE"]

PLACE = Place(ALGORITHMS, ("p08",))

TPB, SIZE = 8, 8

CASES = (
    simple(
        "p11",
        "pooling",
        Kernel("pooling", "output a size_dev", block=TPB),
        {"a": np.arange(SIZE)},
        lambda a: np.convolve(a, np.ones(3))[: a.size],
        size=Size("size_dev", SIZE, least=2),  # the documents' kernel does not ask whether there is an `output[1]`
        constants={"TPB": TPB, "SIZE": SIZE},
        claims=(WRITTEN_ONCE, READ_ONCE, shared_elements(TPB)),
    ),
)
