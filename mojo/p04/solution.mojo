"""Puzzle 04: threads in two dimensions, on a matrix behind a pointer."""

from max.gpu import thread_idx

comptime SIZE = 2
"""The rows of the matrix, and its columns."""
comptime BLOCKS_PER_GRID = 1
"""The blocks of the grid."""
comptime THREADS_PER_BLOCK = (3, 3)
"""The threads of a block in x and y: a row and a column more than there are."""
comptime dtype = DType.float32
"""The element type."""


def add_10_2d(
    output: UnsafePointer[Scalar[dtype], MutAnyOrigin],
    a: UnsafePointer[Scalar[dtype], MutAnyOrigin],
    size_dev: Int32,
):
    """Adds 10 to each element of a matrix whose rows lie one after another.

    Args:
        output: The sums, `SIZE` times `SIZE` elements.
        a: The addends, `SIZE` times `SIZE` elements.
        size_dev: The rows of the matrix, and its columns.

    Constraints:
        There is one block, with `SIZE` threads or more in x and in y.
    """
    var size = Int(size_dev)
    var row = thread_idx.y
    var col = thread_idx.x

    # FILL ME IN: two lines
    if row < size and col < size:
        output[row * size + col] = a[row * size + col] + 10
    # END OF FILL ME IN
