"""Puzzle 31: three kernels that scale one vector and add another, and that leave a multiprocessor room for more or fewer threads."""

from layout import TileTensor
from layout.tile_layout import row_major
from layout.tile_tensor import stack_allocation
from max.gpu import block_dim, block_idx, thread_idx
from max.gpu.memory import AddressSpace
from max.gpu.sync import barrier

comptime SIZE = 32 * 1024 * 1024
"""The elements of a vector."""
comptime TPB = 1024
"""The threads of a block."""
comptime THREADS_PER_BLOCK = (TPB, 1)
"""The threads of a block in x and y."""
comptime BLOCKS_PER_GRID = (SIZE // TPB, 1)
"""The blocks of the grid in x and y: a thread for each element."""
comptime dtype = DType.float32
"""The element type."""
comptime layout = row_major[SIZE]()
"""Where the elements of a vector lie."""
comptime LayoutType = type_of(layout)
"""The type of `layout`."""
comptime ALPHA = Float32(2.5)
"""What the first vector is multiplied with."""


def minimal_kernel(
    y: TileTensor[mut=True, dtype, LayoutType, MutAnyOrigin],
    x: TileTensor[mut=False, dtype, LayoutType, ImmutAnyOrigin],
    alpha: Float32,
    size_dev: Int32,
):
    """Adds `alpha * x` to `y`, with few registers and no shared memory.

    Args:
        y: The sums, shape (SIZE).
        x: What is added to them, shape (SIZE).
        alpha: How many times.
        size_dev: The number of elements.

    Constraints:
        A block has `TPB` threads in x, all blocks together one for each element.
    """
    # PREDICT: write a number in the place of each `?`, before you measure.
    # Occupancy of nvidia:sm_90, which holds 2,048 threads, in percent: ?
    # Occupancy of nvidia:sm_86, which holds 1,536 threads, in percent: ?
    # END OF PREDICT
    var size = Int(size_dev)
    var i = Int(block_dim.x * block_idx.x + thread_idx.x)

    if i < size:
        y[i] = alpha * x[i] + y[i]


def sophisticated_kernel(
    y: TileTensor[mut=True, dtype, LayoutType, MutAnyOrigin],
    x: TileTensor[mut=False, dtype, LayoutType, ImmutAnyOrigin],
    alpha: Float32,
    size_dev: Int32,
):
    """Adds `alpha * x` and a small correction to `y`, with each intermediate in shared memory: 48 KiB for a block.

    Args:
        y: The sums, shape (SIZE).
        x: What is added to them, shape (SIZE).
        alpha: How many times, about.
        size_dev: The number of elements.

    Constraints:
        A block has `TPB` threads in x, all blocks together one for each element.
    """
    # PREDICT: write a number in the place of each `?`, before you measure.
    # Blocks that the 228 KiB of shared memory of nvidia:sm_90 are enough for: ?
    # Occupancy of nvidia:sm_90, which holds 2,048 threads, in percent: ?
    # END OF PREDICT
    var size = Int(size_dev)
    var i = Int(block_dim.x * block_idx.x + thread_idx.x)
    var local_i = Int(thread_idx.x)
    var cache = stack_allocation[
        dtype=dtype, address_space=AddressSpace.SHARED
    ](row_major[12, TPB]())

    if i < size:
        # Both elements are made larger and smaller in turn, which leaves them nearly as they were.
        cache[0, local_i] = x[i] * 1.0001
        cache[1, local_i] = cache[0, local_i] * 0.9999
        cache[2, local_i] = cache[1, local_i] * 1.000001
        cache[3, local_i] = cache[2, local_i] * 0.999999
        cache[4, local_i] = y[i] * 1.000005
        cache[5, local_i] = cache[4, local_i] * 0.999995
        cache[6, local_i] = cache[5, local_i] * 1.0000001
        cache[7, local_i] = cache[6, local_i] * 0.9999999

    barrier()

    if i < size:
        # The even powers of x, up to the eighth.
        var square = cache[3, local_i] * cache[3, local_i]
        cache[8, local_i] = square
        cache[9, local_i] = square * square
        cache[10, local_i] = square * square * square
        cache[11, local_i] = square * square * square * square

    barrier()

    if i < size:
        var factor = alpha * 1.00001 * 0.99999
        factor = factor * 1.000001 * 0.999999
        factor = factor * 1.0000001 * 0.9999999
        factor = factor * 1.00000001 * 0.99999999
        var series = cache[8, local_i] * 1e-7 - cache[9, local_i] * 1e-8
        series += cache[10, local_i] * 1e-9 - cache[11, local_i] * 1e-10
        y[i] = factor * cache[3, local_i] + cache[7, local_i] + series


def balanced_kernel(
    y: TileTensor[mut=True, dtype, LayoutType, MutAnyOrigin],
    x: TileTensor[mut=False, dtype, LayoutType, ImmutAnyOrigin],
    alpha: Float32,
    size_dev: Int32,
):
    """Adds `alpha * x` and a small correction to `y`, with some intermediates in shared memory: 16 KiB for a block.

    Args:
        y: The sums, shape (SIZE).
        x: What is added to them, shape (SIZE).
        alpha: How many times, about.
        size_dev: The number of elements.

    Constraints:
        A block has `TPB` threads in x, all blocks together one for each element.
    """
    # PREDICT: write a number in the place of each `?`, before you measure.
    # Blocks that the 228 KiB of shared memory of nvidia:sm_90 are enough for: ?
    # Occupancy of nvidia:sm_86, which holds 1,536 threads, in percent: ?
    # END OF PREDICT
    var size = Int(size_dev)
    var i = Int(block_dim.x * block_idx.x + thread_idx.x)
    var local_i = Int(thread_idx.x)
    var cache = stack_allocation[
        dtype=dtype, address_space=AddressSpace.SHARED
    ](row_major[4, TPB]())

    if i < size:
        cache[0, local_i] = x[i] * 1.00001
        cache[1, local_i] = cache[0, local_i] * 0.99999
        cache[2, local_i] = y[i] * 1.00001
        cache[3, local_i] = cache[2, local_i] * 0.99999

    barrier()

    if i < size:
        var factor = alpha * 1.000001 * 0.999999
        var series = cache[1, local_i] * cache[1, local_i] * 1e-6
        y[i] = factor * cache[1, local_i] + cache[3, local_i] + series
