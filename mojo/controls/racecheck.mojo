"""The control of racecheck: a kernel that lacks the barrier between stores and loads.

Each thread reads the slot of shared memory that another one has just written.
It takes the place of puzzle 15 and has its signature; see `harness/compute_sanitizer/run.py`.
"""

from layout import TileTensor
from layout.tile_layout import TensorLayout, row_major
from layout.tile_tensor import stack_allocation
from max.gpu import block_idx, thread_idx
from max.gpu.memory import AddressSpace

comptime DTYPE = DType.float32
"""The element type of the matrix and of its sums."""
comptime THREADS_PER_BLOCK = 8
"""The threads of a block."""


def axis_sum[
    OutLayout: TensorLayout, InLayout: TensorLayout, batch: Int, size: Int
](
    output: TileTensor[mut=True, DTYPE, OutLayout, MutAnyOrigin],
    a: TileTensor[mut=False, DTYPE, InLayout, ImmutAnyOrigin],
):
    """Sums a row out of shared memory that others may not have written yet.

    Parameters:
        OutLayout: The layout of `output`.
        InLayout: The layout of `a`.
        batch: The number of rows.
        size: The length of a row.

    Args:
        output: The sums, shape (batch, 1).
        a: The matrix, shape (batch, size).
    """
    comptime assert output.flat_rank == 2 and a.flat_rank == 2
    var local_i = thread_idx.x
    var row = block_idx.y
    var cache = stack_allocation[
        dtype=DTYPE, address_space=AddressSpace.SHARED
    ](row_major[THREADS_PER_BLOCK]())
    if local_i < size:
        cache[local_i] = a[row, local_i]
    else:
        cache[local_i] = 0

    # Here a barrier is missing.
    var total = Scalar[DTYPE](0)
    for slot in range(THREADS_PER_BLOCK):
        total += cache[(local_i + slot) % THREADS_PER_BLOCK]
    if local_i == 0:
        output[row, 0] = total
