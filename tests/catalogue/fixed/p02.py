"""What the documents of puzzle 2 fix."""

from harness.catalogue.further import make_further
from harness.catalogue.p02 import case_at
from tests.catalogue.fixed.launch import Fixed

__all__ = ["FIXED"]

_OVER_BLOCKS = make_further(case_at(8, threads=4, blocks=2), {"SIZE": 8, "BLOCKS_PER_GRID": 2, "THREADS_PER_BLOCK": 4})
_WHY = "an element is found by the number of the thread in its block alone"

FIXED = (
    Fixed("p02", ("grid_dim.x", "grid_dim.y", "block_dim.y", "blocks"), _OVER_BLOCKS, "MISMATCH", _WHY),
    Fixed(
        "p02",
        ("block_dim.x", "threads", "SIZE", "len(a)", "len(b)", "len(output)"),
        make_further(case_at(7, threads=8), {"SIZE": 7, "THREADS_PER_BLOCK": 8}),
        "FINDING",
        "each thread has an element, and nothing asks whether there is one",
    ),
)
