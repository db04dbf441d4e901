"""Case of puzzle 8: map through shared memory."""

from __future__ import annotations

import numpy as np

from harness.catalogue.further import make_further, with_further
from harness.catalogue.parts import FUNDAMENTALS
from harness.catalogue.promises import READ_ONCE, WRITTEN_ONCE, promise_shared
from harness.catalogue.simple import make_simple_case
from harness.model.case import Case, Kernel, Size
from harness.model.place import CoursePlace

__all__ = ["CASES", "PLACE"]

PLACE = CoursePlace(FUNDAMENTALS, ("p06",))

TPB, SIZE, BLOCKS = 4, 8, 2


def _case(size: int, blocks: int) -> Case:
    return make_simple_case(
        "p08",
        "shared memory",
        Kernel("add_10_shared_tile_tensor", "output a size_dev", grid=blocks, block=TPB),
        {"a": np.ones(size)},
        lambda a: a + 10,
        size=Size("size_dev", size),
        constants={"TPB": TPB, "SIZE": size},
        claims=(WRITTEN_ONCE, READ_ONCE, promise_shared(TPB)),
    )


CASES = (
    with_further(
        _case(SIZE, BLOCKS),
        make_further(_case(18, 6), {"SIZE": 18, "BLOCKS_PER_GRID": "(6, 1)"}),  # the last block has nothing to do
    ),
)
