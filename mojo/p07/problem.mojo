"""Puzzle 07: a matrix that is larger than a block."""

from layout import TileTensor
from layout.tile_layout import row_major
from max.gpu import block_dim, block_idx, thread_idx

comptime SIZE = 5
"""The rows of the matrix, and its columns."""
comptime BLOCKS_PER_GRID = (2, 2)
"""The blocks of the grid in x and y."""
comptime THREADS_PER_BLOCK = (3, 3)
"""The threads of a block in x and y."""
comptime dtype = DType.float32
"""The element type."""
comptime out_layout = row_major[SIZE, SIZE]()
"""Where the sums lie."""
comptime a_layout = row_major[SIZE, SIZE]()
"""Where the addends lie."""
comptime OutLayout = type_of(out_layout)
"""The type of `out_layout`."""
comptime ALayout = type_of(a_layout)
"""The type of `a_layout`."""


def add_10_blocks_2d(
    output: TileTensor[mut=True, dtype, OutLayout, MutAnyOrigin],
    a: TileTensor[mut=False, dtype, ALayout, ImmutAnyOrigin],
    size_dev: Int32,
):
    """Adds 10 to each element of a matrix, with as many threads in all blocks together.

    Args:
        output: The sums, shape (SIZE, SIZE).
        a: The addends, shape (SIZE, SIZE).
        size_dev: The rows of the matrix, and its columns.

    Constraints:
        All blocks together have `SIZE` threads or more in x and in y.
    """
    var size = Int(size_dev)
    var row = block_dim.y * block_idx.y + thread_idx.y
    var col = block_dim.x * block_idx.x + thread_idx.x

    # FILL ME IN: two lines
    pass
    # END OF FILL ME IN
