"""What the documents of puzzle 16 fix."""

from harness.catalogue.further import make_further
from harness.catalogue.p16 import case_at
from tests.catalogue.fixed.launch import Fixed

__all__ = ["FIXED"]

FIXED = (
    Fixed(
        "p16:idiomatic-tiled",
        ("grid_dim.x", "grid_dim.y", "threads", "len(output)"),
        make_further(case_at("idiomatic-tiled", 6, (2, 3)), {"SIZE_TILED": 6, "BLOCKS_PER_GRID_TILED": "(2, 3)"}),
        "FINDING",
        "what copies the tiles asks nowhere whether the block has one",
    ),
)
