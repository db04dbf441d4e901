"""The control of synccheck: a kernel with a barrier that half of a warp reaches.

The other half waits at the next one.
It takes the place of puzzle 15 and has its signature; see `harness/backends/compute_sanitizer/run.py`.
"""

from layout import TileTensor
from layout.tile_layout import row_major
from max.gpu import block_idx, thread_idx
from max.gpu.sync import barrier

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


def axis_sum(
    output: TileTensor[mut=True, dtype, OutLayout, MutAnyOrigin],
    a: TileTensor[mut=False, dtype, InLayout, ImmutAnyOrigin],
    size_dev: Int32,
):
    """Sums a row between barriers of which some threads miss one.

    Args:
        output: The sums, shape (BATCH, 1).
        a: The matrix, shape (BATCH, SIZE).
        size_dev: The length of a row.
    """
    var row = block_idx.y
    var total = Scalar[dtype](0)
    for column in range(SIZE):
        total += a[row, column]
    if thread_idx.x < 4:
        barrier()
    barrier()
    if thread_idx.x == 0:
        output[row, 0] = total
