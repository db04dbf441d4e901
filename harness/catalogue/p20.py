"""Case of puzzle 20: the convolution of puzzle 17 as an op that torch calls."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from harness.catalogue.further import make_further, with_further
from harness.catalogue.p17 import DOCUMENTED, OVER_BLOCKS, REDEFINED
from harness.catalogue.parts import TORCH_OPS
from harness.model.case import Case
from harness.model.handout import Complete
from harness.model.place import CoursePlace

__all__ = ["CASES", "PLACE"]

PLACE = CoursePlace(TORCH_OPS, ("p17",))


def _print_lines(_width: int, actual: np.ndarray, expected: np.ndarray, ok: bool) -> Sequence[str]:
    """Return the lines that the documents print for the same graph without torch; one more if the result is right."""
    lines = (f"NumPy reference result: {expected.astype(np.float32)}", f"MAX Graph result: {actual}")
    return (*lines, "✅ MAX Graph verification PASSED") if ok else lines


def _through_torch(entry: Case) -> Case:
    """Return puzzle 17's case as one of this puzzle: torch calls the op, and `_print_lines` makes the lines."""
    assert entry.graph
    return replace(
        entry,
        puzzle="p20",
        op="",
        title="a convolution as an op that torch calls",
        printed=_print_lines,
        handout=Complete(),
        graph=replace(entry.graph, name="conv1d_pytorch", torch=True),
    )


CASES = (with_further(_through_torch(DOCUMENTED), make_further(_through_torch(OVER_BLOCKS), REDEFINED)),)
