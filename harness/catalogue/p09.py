"""Puzzle 9: three programs that are wrong."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

import numpy as np

from harness.catalogue.parts import DEBUGGING
from harness.catalogue.simple import simple
from harness.model.case import Case, Host, Kernel, Launched
from harness.model.given import Wrong
from harness.model.place import Place

__all__ = ["CASES", "PLACE"]

PLACE = Place(DEBUGGING, ("p03", "p08"))

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


def _case(
    mode: str,
    title: str,
    step: Host | Kernel,
    documented: np.ndarray,
    made: Callable[[np.ndarray], np.ndarray],
    findings: Mapping[str, str],
) -> Case:
    right = simple(
        "p09",
        title,
        step,
        {"a": documented},
        made,
        mode=mode,
        form="pointer",
        constants={"SIZE": SIZE},
        claims=(),
    )
    return replace(right, given=Wrong(_EDITS, findings))


CASES = (
    _case(
        "first-case",
        "a sum with an input that is not there",
        Host("first_case", "output a", launches=(Launched("add_10", block=SIZE),)),
        np.arange(SIZE),
        lambda a: a + 10,
        {"out-of-bounds.empty": "output[i] = a[i] + 10", "check.wrong-value.owned": "output[i] = a[i] + 10"},
    ),
    _case(
        "second-case",
        "sums of a sliding window",
        Kernel("process_sliding_window", "output a", block=SIZE),
        np.arange(SIZE),
        _window,
        {"check.wrong-value.owned": "output[i] = total"},
    ),
    _case(
        "third-case",
        "a filter of neighbours",
        Kernel("collaborative_filter", "output a", block=SIZE),
        np.arange(1, SIZE + 1),
        _filtered,
        {
            "divergent-barrier.warp": "barrier()\n\n        shared[i] +=",
            "missed-barrier.passed": "barrier()\n\n    if i < SIZE - 1:\n        output[i]",
        },
    ),
)
