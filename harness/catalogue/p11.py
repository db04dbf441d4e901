"""Case of puzzle 11: pooling, the sum of each element and the two before it."""

from __future__ import annotations

import numpy as np

from harness.catalogue.further import make_further, with_further
from harness.catalogue.parts import ALGORITHMS
from harness.catalogue.promises import READ_ONCE, WRITTEN_ONCE, promise_shared
from harness.catalogue.simple import make_simple_case
from harness.model.case import Case, Kernel, Size
from harness.model.place import CoursePlace

__all__ = ["CASES", "PLACE"]

PLACE = CoursePlace(ALGORITHMS, ("p08",))

TPB, SIZE = 8, 8


def _case(size: int, blocks: int) -> Case:
    return make_simple_case(
        "p11",
        "pooling",
        Kernel("pooling", "output a size_dev", grid=blocks, block=TPB),
        {"a": np.arange(size)},
        lambda a: np.convolve(a, np.ones(3))[: a.size],
        size=Size("size_dev", size, least=2),  # the documents' kernel does not ask whether there is an `output[1]`
        constants={"TPB": TPB, "SIZE": size},
        claims=(WRITTEN_ONCE, READ_ONCE, promise_shared(TPB)),
    )


CASES = (
    with_further(
        _case(SIZE, blocks=1),
        make_further(_case(6, blocks=2), {"SIZE": 6, "BLOCKS_PER_GRID": "(2, 1)"}),  # the second has nothing to do
    ),
)
