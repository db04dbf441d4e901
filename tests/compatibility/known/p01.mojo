"""Puzzle 01: each thread adds 10 to its own element."""

from max.gpu import thread_idx

comptime SIZE = 4
"""The elements of the vector."""
comptime BLOCKS_PER_GRID = 1
"""The blocks of the grid."""
comptime THREADS_PER_BLOCK = SIZE
"""The threads of a block: one for each element."""
comptime dtype = DType.float32
"""The element type."""


def add_10(
    output: UnsafePointer[Scalar[dtype], MutAnyOrigin],
    a: UnsafePointer[Scalar[dtype], MutAnyOrigin],
):
    """Writes `a[i] + 10` to `output[i]`, where `i` is the number of the thread.

    Args:
        output: The sums, `SIZE` elements.
        a: The addends, `SIZE` elements.

    Constraints:
        There is one block, of `SIZE` threads.
    """
    var i = thread_idx.x

    # FILL ME IN: one line
    output[thread_idx.x] = a[thread_idx.x] + 10
    pass
    # END OF FILL ME IN
