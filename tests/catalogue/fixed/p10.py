"""What the documents of puzzle 10 fix."""

from harness.catalogue.further import make_further
from harness.catalogue.p10 import case_at
from tests.catalogue.fixed.launch import Fixed

__all__ = ["FIXED"]

_CHANGED: dict[str, int | str] = {"SIZE": 4, "BLOCKS_PER_GRID": "(2, 1)", "THREADS_PER_BLOCK": "(3, 4)"}

FIXED = tuple(
    Fixed(
        f"p10:{mode}",
        ("grid_dim.x", "grid_dim.y", "blocks"),
        make_further(case_at(mode, 4, (3, 4), blocks=2), _CHANGED),
        "MISMATCH",
        "row and column are found by the numbers of the thread in its block alone",
    )
    for mode in ("memory-bug", "race-condition")
)
