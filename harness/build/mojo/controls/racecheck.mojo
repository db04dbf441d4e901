"""The control of racecheck: a kernel that lacks the barrier between stores and loads.

Each thread reads the slot of shared memory that another one has just written.
It takes the place of puzzle 15 and has its signature; see `harness/backends/compute_sanitizer/run.py`.
"""

from layout import TileTensor
from layout.tile_layout import row_major
from layout.tile_tensor import stack_allocation
from max.gpu import block_idx, thread_idx
from max.gpu.memory import AddressSpace

comptime BATCH = 4
"""The rows of the matrix."""
comptime SIZE = 6
"""The length of a row."""
comptime dtype = DType.float32
"""The element type of the matrix and of its sums."""
comptime OutLayout = type_of(row_major[BATCH, 1]())
"""Where the sums lie."""
comptime InLayout = type_of(row_major[BATCH, SIZE]())
"""Where the elements of the matrix lie."""
comptime TPB = 8
"""The threads of a block."""


def axis_sum(
    output: TileTensor[mut=True, dtype, OutLayout, MutAnyOrigin],
    a: TileTensor[mut=False, dtype, InLayout, ImmutAnyOrigin],
    size_dev: Int32,
):
    """Sums a row out of shared memory that others may not have written yet.

    Args:
        output: The sums, shape (BATCH, 1).
        a: The matrix, shape (BATCH, SIZE).
        size_dev: The length of a row.
    """
    var local_i = thread_idx.x
    var row = block_idx.y
    var cache = stack_allocation[
        dtype=dtype, address_space=AddressSpace.SHARED
    ](row_major[TPB]())
    if local_i < SIZE:
        cache[local_i] = a[row, local_i]
    else:
        cache[local_i] = 0

    # Here a barrier is missing.
    var total = Scalar[dtype](0)
    for slot in range(TPB):
        total += cache[(local_i + slot) % TPB]
    if local_i == 0:
        output[row, 0] = total
