"""Puzzle 1: map."""

from __future__ import annotations

import numpy as np

from harness.catalogue.parts import FUNDAMENTALS
from harness.catalogue.promises import READ_ONCE, WRITTEN_ONCE
from harness.catalogue.simple import simple
from harness.model.case import Kernel
from harness.model.place import Place

__all__ = ["CASES", "PLACE"]

PLACE = Place(FUNDAMENTALS)

SIZE = 4

CASES = (
    simple(
        "p01",
        "map",
        Kernel("add_10", "output a", block=SIZE),
        {"a": np.arange(SIZE)},
        lambda a: a + 10,
        form="pointer",
        constants={"SIZE": SIZE},
        claims=(WRITTEN_ONCE, READ_ONCE),
    ),
)
