"""Puzzle 06: a vector that is longer than a block."""

from max.gpu import block_dim, block_idx, thread_idx

comptime SIZE = 9
"""The elements of the vector."""
comptime BLOCKS_PER_GRID = (3, 1)
"""The blocks of the grid in x and y."""
comptime THREADS_PER_BLOCK = (4, 1)
"""The threads of a block in x and y: three of the last one have no element."""
comptime dtype = DType.float32
"""The element type."""


def add_10_blocks(
    output: UnsafePointer[Scalar[dtype], MutAnyOrigin],
    a: UnsafePointer[Scalar[dtype], MutAnyOrigin],
    size_dev: Int32,
):
    """Adds 10 to each element, with as many threads in all blocks together.

    Args:
        output: The sums, `SIZE` elements.
        a: The addends, `SIZE` elements.
        size_dev: How many elements there are.

    Constraints:
        All blocks together have `SIZE` threads or more in x.
    """
    var size = Int(size_dev)
    var i = block_dim.x * block_idx.x + thread_idx.x

    # FILL ME IN: two lines
    if i < size:
        output[i] = a[i] + 10
    # END OF FILL ME IN
