"""Cases of puzzle 9: three kernels whose handouts are wrong on purpose."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from harness.catalogue.further import make_further, with_further
from harness.catalogue.parts import DEBUGGING
from harness.catalogue.simple import make_simple_case
from harness.model.case import Case, ExpectedLaunch, HostStep, Kernel
from harness.model.handout import Wrong
from harness.model.place import CoursePlace

__all__ = ["CASES", "PLACE", "case_at"]

PLACE = CoursePlace(DEBUGGING, ("p03", "p08"))

SIZE = 4

# An input of no elements, a window of two, and a barrier in a branch that one thread does not take.
_EDITS = {
    "DeviceBuffer[dtype](ctx, a, SIZE, owning=False)": "ctx.enqueue_create_buffer[dtype](0)",
    "range(3)": "range(2)",
    """    var before = Scalar[dtype](0)
    if 0 < i < SIZE - 1:
        before = rebind[Scalar[dtype]](shared[i - 1])

    barrier()

    if i < SIZE - 1:
        shared[i] += before / 2
""": """    if i < SIZE - 1:
        var before = Scalar[dtype](0)
        if i > 0:
            before = rebind[Scalar[dtype]](shared[i - 1])

        barrier()

        shared[i] += before / 2

    barrier()
""",
}


def _window(a: np.ndarray) -> np.ndarray:
    return np.convolve(a, np.ones(3), "same")


def _filtered(a: np.ndarray) -> np.ndarray:
    return a + np.array([0, *a[:-2], 0]) / 2


def case_at(mode: str, size: int, threads: int, blocks: int = 1) -> Case:
    """Make the case of a mode at a number of elements, of threads of a block, and of blocks.

    The mode is `first-case`, `second-case` or `third-case`; only the first calls a host function. The case has the
    edits that make its handout wrong, with their findings, and promises nothing.
    """
    title, kernel, compute, findings = _MODES[mode]
    launched = ExpectedLaunch("add_10", grid=blocks, block=threads)
    called = (
        HostStep(kernel, "output a", launches=(launched,)),
        Kernel(kernel, "output a", grid=blocks, block=threads),
    )
    right = make_simple_case(
        "p09",
        title,
        called[mode != "first-case"],
        {"a": np.arange(size) + (mode == "third-case")},
        compute,
        mode=mode,
        form="pointer",
        constants={"SIZE": size},
        claims=(),
    )
    return replace(right, handout=Wrong(_EDITS, findings))


_MODES: dict[str, tuple[str, str, Callable[[np.ndarray], np.ndarray], dict[str, str]]] = {
    "first-case": (
        "a sum with an input that is not there",
        "first_case",
        lambda a: a + 10,
        {"out-of-bounds.empty": "output[i] = a[i] + 10", "check.wrong-value.owned": "output[i] = a[i] + 10"},
    ),
    "second-case": (
        "sums of a sliding window",
        "process_sliding_window",
        _window,
        {"check.wrong-value.owned": "output[i] = total"},
    ),
    "third-case": (
        "a filter of neighbours",
        "collaborative_filter",
        _filtered,
        {
            "divergent-barrier.warp": "barrier()\n\n        shared[i] +=",
            "missed-barrier.passed": "barrier()\n\n    if i < SIZE - 1:\n        output[i]",
        },
    ),
}

# At 4 elements SIZE - 1 is also what the window is wide.
CASES = tuple(
    with_further(case_at(mode, SIZE, SIZE), make_further(case_at(mode, 7, 7), {"SIZE": 7})) for mode in _MODES
)
