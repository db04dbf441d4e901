"""Case of puzzle 3: guard, a map with more threads than elements."""

from __future__ import annotations

import numpy as np

from harness.catalogue.further import make_further, with_further
from harness.catalogue.parts import FUNDAMENTALS
from harness.catalogue.promises import READ_ONCE, WRITTEN_ONCE
from harness.catalogue.simple import make_simple_case
from harness.model.case import Case, Kernel, Size
from harness.model.place import CoursePlace

__all__ = ["CASES", "PLACE", "case_at"]

PLACE = CoursePlace(FUNDAMENTALS, ("p01",))

SIZE, THREADS = 4, 8


def case_at(size: int, blocks: int = 1) -> Case:
    """Make the case at a number of elements and of blocks."""
    return make_simple_case(
        "p03",
        "guard",
        Kernel("add_10_guard", "output a size_dev", grid=blocks, block=THREADS),
        {"a": np.arange(size)},
        lambda a: a + 10,
        form="pointer",
        size=Size("size_dev", size),
        constants={"SIZE": size},
        claims=(WRITTEN_ONCE, READ_ONCE),
    )


CASES = (with_further(case_at(SIZE), make_further(case_at(6), {"SIZE": 6})),)  # no half of the threads
