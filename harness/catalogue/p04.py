"""Case of puzzle 4: map of a matrix."""

from __future__ import annotations

import numpy as np

from harness.catalogue.further import make_further, with_further
from harness.catalogue.parts import FUNDAMENTALS
from harness.catalogue.promises import READ_ONCE, WRITTEN_ONCE
from harness.catalogue.simple import make_simple_case
from harness.model.case import Case, Kernel, Size
from harness.model.place import CoursePlace

__all__ = ["CASES", "PLACE", "case_at"]

PLACE = CoursePlace(FUNDAMENTALS, ("p03",))

SIZE, THREADS = 2, (3, 3)


def case_at(size: int, threads: tuple[int, int], blocks: int = 1) -> Case:
    """Make the case at a number of rows and columns, of threads in x and y, and of blocks."""
    return make_simple_case(
        "p04",
        "map of a matrix",
        Kernel("add_10_2d", "output a size_dev", grid=blocks, block=threads),
        {"a": np.arange(size * size).reshape(size, size)},
        lambda a: a + 10,
        form="pointer",
        size=Size("size_dev", size, packed=True),
        constants={"SIZE": size},
        claims=(WRITTEN_ONCE, READ_ONCE),
    )


CASES = (
    with_further(
        case_at(SIZE, THREADS),
        make_further(case_at(3, (5, 4)), {"SIZE": 3, "THREADS_PER_BLOCK": "(5, 4)"}),
    ),
)
