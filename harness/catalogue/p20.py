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
    """Return a line with the reference result and a line with the actual one; a third says `PASSED` if `ok`."""
    lines = (f"NumPy reference result: {expected.astype(np.float32)}", f"MAX Graph result: {actual}")
    return (*lines, "✅ MAX Graph verification PASSED") if ok else lines


def _through_torch(entry: Case) -> Case:
    """Return a copy of a case of puzzle 17 for this puzzle: torch calls the op, and no kernel is left to fill in."""
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
