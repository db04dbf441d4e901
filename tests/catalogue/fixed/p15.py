"""What the documents of puzzle 15 fix."""

from harness.catalogue.further import make_further
from harness.catalogue.p15 import case_at
from tests.catalogue.fixed.launch import Fixed

__all__ = ["FIXED"]

_TWO_FOR_A_ROW = make_further(case_at(4, 12, blocks=2), {"SIZE": 12, "BLOCKS_PER_GRID": "(2, BATCH)"})
_WHY = "a block sums a row up to its own threads, and writes that to the row's place"

FIXED = (
    Fixed("p15", ("grid_dim.x", "block_dim.y"), _TWO_FOR_A_ROW, "MISMATCH", _WHY),
    Fixed(
        "p15",
        ("grid_dim.y", "blocks", "BATCH", "a.shape[0]", "output.shape[0]"),
        _TWO_FOR_A_ROW,
        "MISMATCH",
        _WHY,
    ),
)
