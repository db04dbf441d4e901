"""Puzzle 03: more threads than elements, so that some must do nothing."""

from max.gpu import thread_idx

comptime SIZE = 4
"""The elements of the vector."""
comptime BLOCKS_PER_GRID = 1
"""The blocks of the grid."""
comptime THREADS_PER_BLOCK = (8, 1)
"""The threads of a block in x and y: twice as many as there are elements."""
comptime dtype = DType.float32
"""The element type."""


def add_10_guard(
    output: UnsafePointer[Scalar[dtype], MutAnyOrigin],
    a: UnsafePointer[Scalar[dtype], MutAnyOrigin],
    size_dev: Int32,
):
    """Writes `a[i] + 10` to `output[i]` for each element `i` that there is.

    Args:
        output: The sums, `SIZE` elements.
        a: The addends, `SIZE` elements.
        size_dev: How many elements there are.

    Constraints:
        There is one block, of `SIZE` threads or more.
    """
    var size = Int(size_dev)
    var i = thread_idx.x

    # FILL ME IN: two lines
    pass
    # END OF FILL ME IN
