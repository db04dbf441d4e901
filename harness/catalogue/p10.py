"""Puzzle 10: two kernels of which the one gives right answers, the other some, and both are wrong."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

import numpy as np

from harness.catalogue.parts import DEBUGGING
from harness.catalogue.simple import simple
from harness.model.case import Case, Kernel
from harness.model.given import Wrong
from harness.model.place import Place

__all__ = ["CASES", "PLACE"]

PLACE = Place(DEBUGGING, ("p04", "p08"))

SIZE, THREADS = 2, 3

# No guard; and a sum to which each thread adds its element by itself.
_EDITS = {
    """    if row < size and col < size:
        output[row, col] = a[row, col] + 10
""": "    output[row, col] = a[row, col] + 10\n",
    """        var total = Scalar[dtype](0)
        for y in range(size):
            for x in range(size):
                total += rebind[Scalar[dtype]](a[y, x])

        shared[0] = total
""": """        shared[0] = 0

    barrier()

    if row < size and col < size:
        shared[0] += a[row, col]
""",
}


def _case(
    mode: str, title: str, kernel: str, made: Callable[[np.ndarray], np.ndarray], findings: Mapping[str, str]
) -> Case:
    right = simple(
        "p10",
        title,
        Kernel(kernel, "output a size_dev", block=(THREADS, THREADS)),
        {"a": np.arange(SIZE * SIZE).reshape(SIZE, SIZE)},
        made,
        mode=mode,
        scalars={"size_dev": SIZE},
        constants={"SIZE": SIZE},
        claims=(),
    )
    return replace(right, given=Wrong(_EDITS, findings))


CASES = (
    _case(
        "memory-bug",
        "map of a matrix",
        "add_10_2d",
        lambda a: a + 10,
        {"out-of-bounds.after": "output[row, col] = a[row, col] + 10"},
    ),
    _case(
        "race-condition",
        "a sum in shared memory",
        "shared_memory_race",
        lambda a: np.full_like(a, a.sum()),
        {
            "race.update": "shared[0] += a[row, col]",
            "check.wrong-value.shared": "output[row, col] = shared[0]",
        },
    ),
)
