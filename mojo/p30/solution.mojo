"""Puzzle 30: one sum in three ways, to be measured with a profiler."""

from layout import TileTensor
from layout.tile_layout import row_major
from max.gpu import block_dim, block_idx, thread_idx

comptime SIZE = 16 * 1024 * 1024
"""The elements of a vector."""
comptime THREADS_PER_BLOCK = (1024, 1)
"""The threads of a block in x and y."""
comptime BLOCKS_PER_GRID = (SIZE // 1024, 1)
"""The blocks of the grid in x and y: a thread for each element."""
comptime dtype = DType.float32
"""The element type."""
comptime layout = row_major[SIZE]()
"""Where the elements of a vector lie."""
comptime LayoutType = type_of(layout)
"""The type of `layout`."""


def kernel1(
    output: TileTensor[mut=True, dtype, LayoutType, MutAnyOrigin],
    a: TileTensor[mut=False, dtype, LayoutType, ImmutAnyOrigin],
    b: TileTensor[mut=False, dtype, LayoutType, ImmutAnyOrigin],
    size_dev: Int32,
):
    """Adds two vectors: each thread the elements that have its number.

    Args:
        output: The sums, shape (SIZE).
        a: The first addends, shape (SIZE).
        b: The second addends, shape (SIZE).
        size_dev: How many elements there are.

    Constraints:
        All blocks together have `SIZE` threads or more.
    """
    # PREDICT: write a number in the place of each `?`, before you measure.
    # Sectors that a warp touches when its 32 lanes read `a`: 4
    # Bytes of global memory that are moved for each element of `output`: 12
    # END OF PREDICT
    var size = Int(size_dev)
    var i = Int(block_dim.x * block_idx.x + thread_idx.x)

    if i < size:
        output[i] = a[i] + b[i]


def kernel2(
    output: TileTensor[mut=True, dtype, LayoutType, MutAnyOrigin],
    a: TileTensor[mut=False, dtype, LayoutType, ImmutAnyOrigin],
    b: TileTensor[mut=False, dtype, LayoutType, ImmutAnyOrigin],
    size_dev: Int32,
):
    """Adds two vectors: each thread the elements from its number on, in steps of 512, as other threads do too.

    Args:
        output: The sums, shape (SIZE).
        a: The first addends, shape (SIZE).
        b: The second addends, shape (SIZE).
        size_dev: How many elements there are.

    Constraints:
        All blocks together have 512 threads or more.
    """
    # PREDICT: write a number in the place of each `?`, before you measure.
    # Sectors that a warp touches when its 32 lanes read `a`: 4
    # One thread in how many reads the last element of `a`: 512
    # END OF PREDICT
    var size = Int(size_dev)
    var i = Int(block_dim.x * block_idx.x + thread_idx.x)

    while i < size:
        output[i] = a[i] + b[i]
        i += 512


def kernel3(
    output: TileTensor[mut=True, dtype, LayoutType, MutAnyOrigin],
    a: TileTensor[mut=False, dtype, LayoutType, ImmutAnyOrigin],
    b: TileTensor[mut=False, dtype, LayoutType, ImmutAnyOrigin],
    size_dev: Int32,
):
    """Adds two vectors: each thread the elements that have its number, counted from the end.

    Args:
        output: The sums, shape (SIZE).
        a: The first addends, shape (SIZE).
        b: The second addends, shape (SIZE).
        size_dev: How many elements there are.

    Constraints:
        All blocks together have `SIZE` threads or more.
    """
    # PREDICT: write a number in the place of each `?`, before you measure.
    # Sectors that a warp touches when its 32 lanes read `a`: 4
    # Bytes that the lanes asked for, in percent of the bytes in the sectors: 100
    # END OF PREDICT
    var size = Int(size_dev)
    var i = Int(block_dim.x * block_idx.x + thread_idx.x)

    if i < size:
        var reverse = size - 1 - i
        output[reverse] = a[reverse] + b[reverse]
