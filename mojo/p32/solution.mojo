"""Puzzle 32: two kernels with one result, of which the second goes to each bank of shared memory twice."""

from layout import TileTensor
from layout.tile_layout import row_major
from layout.tile_tensor import stack_allocation
from max.gpu import block_dim, block_idx, thread_idx
from max.gpu.memory import AddressSpace
from max.gpu.sync import barrier

comptime SIZE = 8 * 1024
"""The elements of the vector."""
comptime TPB = 256
"""The threads of a block."""
comptime THREADS_PER_BLOCK = (TPB, 1)
"""The threads of a block in x and y."""
comptime BLOCKS_PER_GRID = (SIZE // TPB, 1)
"""The blocks of the grid in x and y."""
comptime dtype = DType.float32
"""The element type."""
comptime layout = row_major[SIZE]()
"""Where the elements lie."""
comptime LayoutType = type_of(layout)
"""The type of `layout`."""


def no_conflict_kernel(
    output: TileTensor[mut=True, dtype, LayoutType, MutAnyOrigin],
    input: TileTensor[mut=False, dtype, LayoutType, ImmutAnyOrigin],
    size_dev: Int32,
):
    """Adds 10 to each element and doubles it, by way of shared memory where neighbours lie in neighbouring banks.

    Args:
        output: The results, shape (SIZE).
        input: The vector, shape (SIZE).
        size_dev: The number of its elements.

    Constraints:
        A block has `TPB` threads in x, all blocks together one for each element.
    """
    # PREDICT: write a number in the place of each `?`, before you measure.
    # Passes that a warp's store to shared memory takes: 1
    # Bytes of shared memory that a block takes: 1,024
    # END OF PREDICT
    var size = Int(size_dev)
    var global_i = Int(block_dim.x * block_idx.x + thread_idx.x)
    var local_i = Int(thread_idx.x)
    var shared_mem = stack_allocation[
        dtype=dtype, address_space=AddressSpace.SHARED
    ](row_major[TPB]())

    if global_i < size:
        shared_mem[local_i] = input[global_i] + 10

    barrier()

    if global_i < size:
        output[global_i] = shared_mem[local_i] * 2


def two_way_conflict_kernel(
    output: TileTensor[mut=True, dtype, LayoutType, MutAnyOrigin],
    input: TileTensor[mut=False, dtype, LayoutType, ImmutAnyOrigin],
    size_dev: Int32,
):
    """Does the same where neighbours lie two banks apart, so that the first and the second half of 32 lanes collide.

    Args:
        output: The results, shape (SIZE).
        input: The vector, shape (SIZE).
        size_dev: The number of its elements.

    Constraints:
        A block has `TPB` threads in x, all blocks together one for each element.
    """
    # PREDICT: write a number in the place of each `?`, before you measure.
    # Passes that a warp's store to shared memory takes: 2
    # Bytes of shared memory that a block takes: 2,048
    # END OF PREDICT
    var size = Int(size_dev)
    var global_i = Int(block_dim.x * block_idx.x + thread_idx.x)
    var local_i = Int(thread_idx.x)
    var shared_mem = stack_allocation[
        dtype=dtype, address_space=AddressSpace.SHARED
    ](row_major[2 * TPB]())

    if global_i < size:
        shared_mem[2 * local_i] = input[global_i] + 10

    barrier()

    if global_i < size:
        output[global_i] = shared_mem[2 * local_i] * 2
