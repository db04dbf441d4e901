"""Puzzle 2: zip."""

from __future__ import annotations

import numpy as np

from harness.catalogue.parts import FUNDAMENTALS
from harness.catalogue.promises import READ_ONCE, WRITTEN_ONCE
from harness.catalogue.simple import simple
from harness.model.case import Kernel
from harness.model.place import Place

__all__ = ["CASES", "PLACE"]

PLACE = Place(FUNDAMENTALS, ("p01",))

SIZE = 4

CASES = (
    simple(
        "p02",
        "zip",
        Kernel("add", "output a b", block=SIZE),
        {"a": np.arange(SIZE), "b": np.arange(SIZE)},
        lambda a, b: a + b,
        form="pointer",
        constants={"SIZE": SIZE},
        claims=(WRITTEN_ONCE, READ_ONCE),
    ),
)
