"""What the documents of puzzle 4 with a TileTensor fix."""

from harness.catalogue.further import make_further
from harness.catalogue.p04_tile_tensor import case_at
from tests.catalogue.fixed.launch import Fixed

__all__ = ["FIXED"]

FIXED = (
    Fixed(
        "p04_tile_tensor",
        ("grid_dim.x", "grid_dim.y", "blocks"),
        make_further(
            case_at(4, (3, 4), blocks=2), {"SIZE": 4, "BLOCKS_PER_GRID": "(2, 1)", "THREADS_PER_BLOCK": "(3, 4)"}
        ),
        "MISMATCH",
        "row and column are found by the numbers of the thread in its block alone",
    ),
)
