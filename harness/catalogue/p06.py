"""Case of puzzle 6: map in several blocks."""

from __future__ import annotations

import numpy as np

from harness.catalogue.further import make_further, with_further
from harness.catalogue.parts import FUNDAMENTALS
from harness.catalogue.promises import READ_ONCE, WRITTEN_ONCE
from harness.catalogue.simple import make_simple_case
from harness.model.case import Case, Kernel, Size
from harness.model.place import CoursePlace

__all__ = ["CASES", "PLACE"]

PLACE = CoursePlace(FUNDAMENTALS, ("p03",))

SIZE, BLOCKS, THREADS = 9, 3, 4


def _case(size: int, blocks: int) -> Case:
    return make_simple_case(
        "p06",
        "blocks",
        Kernel("add_10_blocks", "output a size_dev", grid=blocks, block=THREADS),
        {"a": np.arange(size)},
        lambda a: a + 10,
        form="pointer",
        size=Size("size_dev", size),
        constants={"SIZE": size},
        claims=(WRITTEN_ONCE, READ_ONCE),
    )


CASES = (
    with_further(
        _case(SIZE, BLOCKS),
        make_further(_case(18, 6), {"SIZE": 18, "BLOCKS_PER_GRID": "(6, 1)"}),  # the last block has nothing to do
    ),
)
