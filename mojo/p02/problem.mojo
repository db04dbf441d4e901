"""Puzzle 02: each thread adds its elements of two vectors."""

from max.gpu import thread_idx

comptime SIZE = 4
"""The elements of each vector."""
comptime BLOCKS_PER_GRID = 1
"""The blocks of the grid."""
comptime THREADS_PER_BLOCK = SIZE
"""The threads of a block: one for each element."""
comptime dtype = DType.float32
"""The element type."""


def add(
    output: UnsafePointer[Scalar[dtype], MutAnyOrigin],
    a: UnsafePointer[Scalar[dtype], MutAnyOrigin],
    b: UnsafePointer[Scalar[dtype], MutAnyOrigin],
):
    """Writes `a[i] + b[i]` to `output[i]`, where `i` is the number of the thread.

    Args:
        output: The sums, `SIZE` elements.
        a: One addend each, `SIZE` elements.
        b: The other addend each, `SIZE` elements.

    Constraints:
        There is one block, of `SIZE` threads.
    """
    var i = thread_idx.x

    # FILL ME IN: one line
    pass
    # END OF FILL ME IN
