"""The full-size kernels at small and odd sizes, and one of them with a fault."""

from __future__ import annotations

from harness.catalogue import scaled
from harness.model.sources import MOJO

__all__ = ["WRONG", "cases", "wrong_text"]

# One below and one above each tile: a vector of 4, a block's round of loads (64, 1024)
# and four rounds in flight (4096); warps that are not all used.
SHAPES = ((1, 1), (3, 3), (5, 4), (7, 5), (9, 63), (8, 64), (9, 65), (3, 1023), (2, 4095), (2, 4097))
# One cluster of 4 x 256 threads loads 4096 elements at a time, two twice that.
VECTORS = ((1, 1), (3, 1), (4, 1), (4095, 1), (4096, 1), (4097, 1), (8191, 2), (40_961, 2), (264, 1))
# Of each tile and of each vector those that `tests` run: all names are as `cases` has them.
SOME_SHAPES = ((1, 1), (5, 4), (9, 65), (3, 1023), (2, 4097))
SOME_VECTORS = ((1, 1), (3, 1), (4097, 1), (40_961, 2), (264, 1))
WRONG = scaled.CASES[1]  # of which a file with a fault is run, too


def cases(target: str, *, every: bool = False) -> dict[str, scaled.ScaledCase]:
    """Every size as a case, or some, by the name of its instance in the compiled file."""
    named = {}
    for rows, columns in SHAPES if every else SOME_SHAPES:
        named[f"axis_{rows}_{columns}"] = scaled.axis_sum(rows, columns)
        named[f"rows_{rows}_{columns}"] = scaled.row_max(rows, columns)
    vectors = VECTORS if every else SOME_VECTORS
    for size, clusters in vectors if target == "nvidia:sm_90" else ():
        named[f"cluster_{size}_{clusters}"] = scaled.cluster_sum(size, clusters)
    return named


def wrong_text() -> str:
    """A tail that is one element short: rows of 4099 miss their last."""
    text = (MOJO / "scaled" / "row_max.mojo").read_text(encoding="utf-8")
    wrong = text.replace("if local_i < columns - tail:", "if local_i < columns - tail - 1:")
    assert wrong != text
    return wrong
