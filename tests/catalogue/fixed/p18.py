"""What the documents of puzzle 18 fix: one block takes the softmax."""

from harness.catalogue.further import make_further
from harness.catalogue.p18 import softmax
from tests.catalogue.fixed.launch import Fixed

__all__ = ["FIXED"]

_SIZE, _THREADS = 100, 64
_TWO_BLOCKS = make_further(softmax(_SIZE, _THREADS, grid=2), {"BLOCK_DIM_X": _THREADS, "GRID_DIM_X": 2})
_WHY = "a thread takes the element of its number in the block, so those of a second block are never read"
FIXED = (
    Fixed("p18", ("blocks", "grid_dim.x", "grid_dim.y", "block_dim.y"), _TWO_BLOCKS, "MISMATCH", _WHY),
    Fixed("p18", ("block_dim.x", "threads"), _TWO_BLOCKS, "MISMATCH", _WHY),
)
