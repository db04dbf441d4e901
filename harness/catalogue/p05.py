"""Puzzle 5: broadcast."""

from __future__ import annotations

import numpy as np

from harness.catalogue.promises import WRITTEN_ONCE
from harness.catalogue.simple import simple
from harness.model.case import Kernel

__all__ = ["CASES"]

SIZE, THREADS = 2, 3

CASES = (
    simple(
        "p05",
        "broadcast",
        Kernel("broadcast_add", "output a b size_dev", block=(THREADS, THREADS)),
        {"a": np.array([[1, 2]]), "b": np.array([[0], [10]])},
        lambda a, b: a + b,
        scalars={"size_dev": SIZE},
        constants={"SIZE": SIZE},
        claims=(WRITTEN_ONCE,),
    ),
)
