"""Case of puzzle 7: map of a matrix in several blocks."""

from __future__ import annotations

import numpy as np

from harness.catalogue.further import make_further, with_further
from harness.catalogue.parts import FUNDAMENTALS
from harness.catalogue.promises import READ_ONCE, WRITTEN_ONCE
from harness.catalogue.simple import make_simple_case
from harness.model.case import Case, Kernel, Size
from harness.model.place import CoursePlace

__all__ = ["CASES", "PLACE"]

PLACE = CoursePlace(FUNDAMENTALS, ("p04", "p06"))

SIZE, BLOCKS, THREADS = 5, (2, 2), (3, 3)


def _case(size: int, blocks: tuple[int, int], threads: tuple[int, int]) -> Case:
    return make_simple_case(
        "p07",
        "blocks of a matrix",
        Kernel("add_10_blocks_2d", "output a size_dev", grid=blocks, block=threads),
        {"a": np.arange(size * size).reshape(size, size)},
        lambda a: a + 10,
        size=Size("size_dev", size),
        constants={"SIZE": size},
        claims=(WRITTEN_ONCE, READ_ONCE),
    )


CASES = (
    with_further(
        _case(SIZE, BLOCKS, THREADS),
        # Blocks overlap or leave gaps where any other extent is taken for the threads of a block, in x or in y.
        make_further(
            _case(11, (2, 4), (6, 3)),
            {"SIZE": 11, "BLOCKS_PER_GRID": "(2, 4)", "THREADS_PER_BLOCK": "(6, 3)"},
        ),
    ),
)
