"""What the documents of puzzle 12 fix."""

from harness.catalogue.further import make_further
from harness.catalogue.p12 import case_at
from tests.catalogue.fixed.launch import Fixed

__all__ = ["FIXED"]

_OVER_BLOCKS = make_further(case_at(12, blocks=2), {"SIZE": 12, "BLOCKS_PER_GRID": "(2, 1)"})
_WHY = "each block writes its own sum to `output[0]`"

FIXED = (
    Fixed(
        "p12",
        ("grid_dim.x", "grid_dim.y", "block_dim.y", "blocks", "len(output)"),
        _OVER_BLOCKS,
        "FINDING",
        _WHY,
    ),
    Fixed("p12", ("block_dim.x", "threads", "TPB"), _OVER_BLOCKS, "FINDING", _WHY),
)
