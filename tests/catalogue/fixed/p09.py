"""What the documents of puzzle 9 fix."""

from harness.catalogue.further import make_further
from harness.catalogue.p09 import case_at
from tests.catalogue.fixed.launch import Fixed

__all__ = ["FIXED"]

_MODES = ("first-case", "second-case", "third-case")
_EQUAL = (("grid_dim.x", "grid_dim.y", "block_dim.y", "blocks"), ("block_dim.x", "threads"))
_CHANGED = {"SIZE": 8, "BLOCKS_PER_GRID": 2, "THREADS_PER_BLOCK": 4}
_WHY = "an element is found by the number of the thread in its block alone"

FIXED = tuple(
    Fixed(f"p09:{mode}", equal, make_further(case_at(mode, 8, threads=4, blocks=2), _CHANGED), "MISMATCH", _WHY)
    for mode in _MODES
    for equal in _EQUAL
)
