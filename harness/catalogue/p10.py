"""Cases of puzzle 10: a kernel without its guard and one with a race, both handed out wrong on purpose."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from harness.catalogue.further import make_further, with_further
from harness.catalogue.parts import DEBUGGING
from harness.catalogue.simple import make_simple_case
from harness.model.case import Case, Kernel, Size
from harness.model.handout import Wrong
from harness.model.place import CoursePlace

__all__ = ["CASES", "PLACE", "case_at"]

PLACE = CoursePlace(DEBUGGING, ("p04", "p08"))

SIZE, THREADS = 2, (3, 3)

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


def case_at(mode: str, size: int, threads: tuple[int, int], blocks: int = 1) -> Case:
    """Make the case of a mode at a number of rows and columns, of threads in x and y, and of blocks in x.

    The mode is `memory-bug` or `race-condition`. The case has the edits that make its handout wrong, with their
    findings, and promises nothing.
    """
    title, kernel, compute, findings = _MODES[mode]
    right = make_simple_case(
        "p10",
        title,
        Kernel(kernel, "output a size_dev", grid=blocks, block=threads),
        {"a": np.arange(size * size).reshape(size, size)},
        compute,
        mode=mode,
        size=Size("size_dev", size),
        constants={"SIZE": size},
        claims=(),
    )
    return replace(right, handout=Wrong(_EDITS, findings))


_MODES: dict[str, tuple[str, str, Callable[[np.ndarray], np.ndarray], dict[str, str]]] = {
    "memory-bug": (
        "map of a matrix",
        "add_10_2d",
        lambda a: a + 10,
        {"out-of-bounds.after": "output[row, col] = a[row, col] + 10"},
    ),
    "race-condition": (
        "a sum in shared memory",
        "shared_memory_race",
        lambda a: np.full_like(a, a.sum()),
        {
            "race.update": "shared[0] += a[row, col]",
            "check.wrong-value.shared": "output[row, col] = shared[0]",
        },
    ),
}
_OTHER: dict[str, int | str] = {"SIZE": 3, "THREADS_PER_BLOCK": "(5, 4)"}

CASES = tuple(
    with_further(case_at(mode, SIZE, THREADS), make_further(case_at(mode, 3, (5, 4)), _OTHER)) for mode in _MODES
)
