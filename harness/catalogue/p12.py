"""Case of puzzle 12: dot product."""

from __future__ import annotations

import numpy as np

from harness.catalogue.data import random_factors
from harness.catalogue.further import make_further, with_further
from harness.catalogue.parts import ALGORITHMS
from harness.catalogue.promises import READ_ONCE, WRITTEN_ONCE, promise_shared
from harness.catalogue.simple import make_simple_case
from harness.model.case import Case, Kernel, Size
from harness.model.place import CoursePlace

__all__ = ["CASES", "PLACE", "case_at"]

PLACE = CoursePlace(ALGORITHMS, ("p02", "p08"))

TPB, SIZE = 8, 8


def case_at(size: int, blocks: int = 1) -> Case:
    """Make the case at a number of elements and of blocks."""
    return make_simple_case(
        "p12",
        "dot product",
        Kernel("dot_product", "output a b size_dev", grid=blocks, block=TPB),
        {"a": np.arange(size), "b": np.arange(size)},
        lambda a, b: np.array([a @ b]),
        size=Size("size_dev", size),
        constants={"TPB": TPB, "SIZE": size},
        claims=(WRITTEN_ONCE, READ_ONCE, promise_shared(TPB)),
        random=random_factors,
    )


CASES = (with_further(case_at(SIZE), make_further(case_at(6), {"SIZE": 6})),)  # fewer elements than threads
