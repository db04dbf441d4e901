"""Case of puzzle 2: zip, which adds two vectors."""

from __future__ import annotations

import numpy as np

from harness.catalogue.further import make_further, with_further
from harness.catalogue.parts import FUNDAMENTALS
from harness.catalogue.promises import READ_ONCE, WRITTEN_ONCE
from harness.catalogue.simple import make_simple_case
from harness.model.case import Case, Kernel
from harness.model.place import CoursePlace

__all__ = ["CASES", "PLACE", "case_at"]

PLACE = CoursePlace(FUNDAMENTALS, ("p01",))

SIZE = 4


def case_at(size: int, threads: int, blocks: int = 1) -> Case:
    """Make the case at a number of elements, of threads of a block, and of blocks."""
    return make_simple_case(
        "p02",
        "zip",
        Kernel("add", "output a b", grid=blocks, block=threads),
        {"a": np.arange(size), "b": np.arange(size)},
        lambda a, b: a + b,
        form="pointer",
        constants={"SIZE": size},
        claims=(WRITTEN_ONCE, READ_ONCE),
    )


CASES = (with_further(case_at(SIZE, SIZE), make_further(case_at(7, 7), {"SIZE": 7})),)
