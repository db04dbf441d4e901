"""Case of puzzle 5: broadcast, which adds each element of a row to each of a column."""

from __future__ import annotations

import numpy as np

from harness.catalogue.further import make_further, with_further
from harness.catalogue.parts import FUNDAMENTALS
from harness.catalogue.promises import WRITTEN_ONCE
from harness.catalogue.simple import make_simple_case
from harness.model.case import Case, Kernel, Size
from harness.model.place import CoursePlace

__all__ = ["CASES", "PLACE", "case_at"]

PLACE = CoursePlace(FUNDAMENTALS, ("p02", "p04"))

SIZE, THREADS = 2, (3, 3)


def case_at(size: int, threads: tuple[int, int], blocks: int = 1, columns: int = 1) -> Case:
    """Make the case at a number of rows and columns, of threads in x and y, and of blocks.

    Args:
        size: The rows of the result, and its columns.
        threads: Of a block.
        blocks: Of the grid.
        columns: Of `b`, of which only the first is added.
    """
    b = 10 * np.arange(size * columns).reshape(size, columns)
    return make_simple_case(
        "p05",
        "broadcast",
        Kernel("broadcast_add", "output a b size_dev", grid=blocks, block=threads),
        {"a": np.arange(1, size + 1)[np.newaxis], "b": b},
        lambda a, b: a + b[:, :1],
        size=Size("size_dev", size),
        constants={"SIZE": size},
        claims=(WRITTEN_ONCE,),
    )


CASES = (
    with_further(
        case_at(SIZE, THREADS),
        # A column of a wider matrix: an index that leaves the column's shape meets another element.
        make_further(
            case_at(3, (5, 4), columns=2),
            {"SIZE": 3, "THREADS_PER_BLOCK": "(5, 4)", "b_layout": "row_major[SIZE, 2]()"},
        ),
    ),
)
