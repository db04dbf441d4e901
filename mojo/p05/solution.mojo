"""Puzzle 05: a row and a column make a matrix of sums."""

from layout import TileTensor
from layout.tile_layout import row_major
from max.gpu import thread_idx

comptime SIZE = 2
"""The rows of the sums, and their columns."""
comptime BLOCKS_PER_GRID = 1
"""The blocks of the grid."""
comptime THREADS_PER_BLOCK = (3, 3)
"""The threads of a block in x and y: a row and a column more than there are."""
comptime dtype = DType.float32
"""The element type."""
comptime out_layout = row_major[SIZE, SIZE]()
"""Where the sums lie."""
comptime a_layout = row_major[1, SIZE]()
"""Where the elements of the row lie."""
comptime b_layout = row_major[SIZE, 1]()
"""Where the elements of the column lie."""
comptime OutLayout = type_of(out_layout)
"""The type of `out_layout`."""
comptime ALayout = type_of(a_layout)
"""The type of `a_layout`."""
comptime BLayout = type_of(b_layout)
"""The type of `b_layout`."""


def broadcast_add(
    output: TileTensor[mut=True, dtype, OutLayout, MutAnyOrigin],
    a: TileTensor[mut=False, dtype, ALayout, ImmutAnyOrigin],
    b: TileTensor[mut=False, dtype, BLayout, ImmutAnyOrigin],
    size_dev: Int32,
):
    """Adds each element of a row to each element of a column.

    Args:
        output: The sums, shape (SIZE, SIZE).
        a: The row, shape (1, SIZE).
        b: The column, shape (SIZE, 1).
        size_dev: The rows of the sums, and their columns.

    Constraints:
        There is one block, with `SIZE` threads or more in x and in y.
    """
    var size = Int(size_dev)
    var row = thread_idx.y
    var col = thread_idx.x

    # FILL ME IN: two lines
    if row < size and col < size:
        output[row, col] = a[0, col] + b[row, 0]
    # END OF FILL ME IN
