"""Puzzle 15: the sum of each row of a matrix, one block for each row."""

from layout import TileTensor
from layout.tile_layout import TensorLayout, row_major
from layout.tile_tensor import stack_allocation
from max.gpu import block_idx, thread_idx
from max.gpu.memory import AddressSpace
from max.gpu.sync import barrier

comptime DTYPE = DType.float32
"""The element type of the matrix and of its sums."""
comptime THREADS_PER_BLOCK = 8
"""The threads of a block, a power of two that is not below the row's length."""


def axis_sum[
    OutLayout: TensorLayout, InLayout: TensorLayout, batch: Int, size: Int
](
    output: TileTensor[mut=True, DTYPE, OutLayout, MutAnyOrigin],
    a: TileTensor[mut=False, DTYPE, InLayout, ImmutAnyOrigin],
):
    """Writes the sum of row `block_idx.y` of `a` to the same row of `output`.

    Parameters:
        OutLayout: The layout of `output`.
        InLayout: The layout of `a`.
        batch: The number of rows.
        size: The length of a row, at most `THREADS_PER_BLOCK`.

    Args:
        output: The sums, shape (batch, 1).
        a: The matrix, shape (batch, size).

    Constraints:
        A block has `THREADS_PER_BLOCK` threads in x, the grid `batch` blocks
        in y.
    """
    comptime assert output.flat_rank == 2 and a.flat_rank == 2
    comptime assert size <= THREADS_PER_BLOCK, "a row must fit into one block"
    var local_i = thread_idx.x
    var row = block_idx.y
    var cache = stack_allocation[
        dtype=DTYPE, address_space=AddressSpace.SHARED
    ](row_major[THREADS_PER_BLOCK]())

    # FILL ME IN: about 25 lines
    # The tree below reads every slot, so the ones past the row must be zero.
    if local_i < size:
        cache[local_i] = a[row, local_i]
    else:
        cache[local_i] = 0

    barrier()

    var stride = THREADS_PER_BLOCK // 2
    while stride > 0:
        # Reading and adding are separate steps: nothing is written while
        # another thread may still read it.
        var addend = Scalar[DTYPE](0)
        if local_i < stride:
            addend = cache[local_i + stride]

        barrier()

        if local_i < stride:
            cache[local_i] += addend

        barrier()

        stride //= 2

    if local_i == 0:
        output[row, 0] = cache[0]
    # END OF FILL ME IN
