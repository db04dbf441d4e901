"""What the documents of puzzle 3 fix."""

from harness.catalogue.further import make_further
from harness.catalogue.p03 import case_at
from tests.catalogue.fixed.launch import Fixed

__all__ = ["FIXED"]

_OVER_BLOCKS = make_further(case_at(12, blocks=2), {"SIZE": 12, "BLOCKS_PER_GRID": 2})
_WHY = "an element is found by the number of the thread in its block alone"

FIXED = (
    Fixed("p03", ("grid_dim.x", "grid_dim.y", "block_dim.y", "blocks"), _OVER_BLOCKS, "MISMATCH", _WHY),
    Fixed("p03", ("block_dim.x", "threads"), _OVER_BLOCKS, "MISMATCH", _WHY),
)
