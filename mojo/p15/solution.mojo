"""Puzzle 15: the sum of each row of a matrix, one block for each row."""

from layout import TileTensor
from layout.tile_layout import row_major
from layout.tile_tensor import stack_allocation
from max.gpu import block_dim, block_idx, thread_idx
from max.gpu.memory import AddressSpace
from max.gpu.sync import barrier

comptime TPB = 8
"""The threads of a block, a power of two that is not below the row's length."""
comptime BATCH = 4
"""The rows of the matrix."""
comptime SIZE = 6
"""The length of a row."""
comptime BLOCKS_PER_GRID = (1, BATCH)
"""The blocks of the grid in x and y."""
comptime THREADS_PER_BLOCK = (TPB, 1)
"""The threads of a block in x and y."""
comptime dtype = DType.float32
"""The element type of the matrix and of its sums."""
comptime in_layout = row_major[BATCH, SIZE]()
"""Where the elements of the matrix lie."""
comptime out_layout = row_major[BATCH, 1]()
"""Where the sums lie."""
comptime InLayout = type_of(in_layout)
"""The type of `in_layout`."""
comptime OutLayout = type_of(out_layout)
"""The type of `out_layout`."""


def axis_sum(
    output: TileTensor[mut=True, dtype, OutLayout, MutAnyOrigin],
    a: TileTensor[mut=False, dtype, InLayout, ImmutAnyOrigin],
    size_dev: Int32,
):
    """Writes the sum of row `block_idx.y` of `a` to the same row of `output`.

    Args:
        output: The sums, shape (BATCH, 1).
        a: The matrix, shape (BATCH, SIZE).
        size_dev: The length of a row, at most `TPB`.

    Constraints:
        A block has `TPB` threads in x, the grid `BATCH` blocks in y.
    """
    var size = Int(size_dev)
    var global_i = block_dim.x * block_idx.x + thread_idx.x
    var local_i = thread_idx.x
    var batch = block_idx.y
    var cache = stack_allocation[
        dtype=dtype, address_space=AddressSpace.SHARED
    ](row_major[TPB]())

    # FILL ME IN: about 25 lines
    # The tree below reads every slot, so the ones past the row must be zero.
    if global_i < size:
        cache[local_i] = a[batch, global_i]
    else:
        cache[local_i] = 0

    barrier()

    var stride = TPB // 2
    while stride > 0:
        # Reading and adding are separate steps: nothing is written while
        # another thread may still read it.
        var addend = Scalar[dtype](0)
        if local_i < stride:
            addend = cache[local_i + stride]

        barrier()

        if local_i < stride:
            cache[local_i] += addend

        barrier()

        stride //= 2

    if local_i == 0:
        output[batch, 0] = cache[0]
    # END OF FILL ME IN
