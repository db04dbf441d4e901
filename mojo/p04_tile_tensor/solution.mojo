"""Puzzle 04 once more: the same matrix as a TileTensor, which knows its rows and columns."""

from layout import TileTensor
from layout.tile_layout import row_major
from max.gpu import thread_idx

comptime SIZE = 2
"""The rows of the matrix, and its columns."""
comptime BLOCKS_PER_GRID = 1
"""The blocks of the grid."""
comptime THREADS_PER_BLOCK = (3, 3)
"""The threads of a block in x and y: a row and a column more than there are."""
comptime dtype = DType.float32
"""The element type."""
comptime layout = row_major[SIZE, SIZE]()
"""Where the elements of the matrix lie."""
comptime LayoutType = type_of(layout)
"""The type of `layout`."""


def add_10_2d(
    output: TileTensor[mut=True, dtype, LayoutType, MutAnyOrigin],
    a: TileTensor[mut=False, dtype, LayoutType, ImmutAnyOrigin],
    size_dev: Int32,
):
    """Adds 10 to each element of a matrix.

    Args:
        output: The sums, shape (SIZE, SIZE).
        a: The addends, shape (SIZE, SIZE).
        size_dev: The rows of the matrix, and its columns.

    Constraints:
        There is one block, with `SIZE` threads or more in x and in y.
    """
    var size = Int(size_dev)
    var row = thread_idx.y
    var col = thread_idx.x

    # FILL ME IN: two lines
    if row < size and col < size:
        output[row, col] = a[row, col] + 10
    # END OF FILL ME IN
