"""The control of memcheck: a kernel that stores past its output.

The threads of the last block store 1, 2, 4, ... elements past the end, so that the
tool sees a store outside whatever an allocation is rounded up to.
It takes the place of puzzle 15 and has its signature; see `harness/compute_sanitizer/run.py`.
"""

from layout import TileTensor
from layout.tile_layout import TensorLayout
from max.gpu import block_idx, thread_idx

comptime DTYPE = DType.float32
"""The element type of the matrix and of its sums."""


def axis_sum[
    OutLayout: TensorLayout, InLayout: TensorLayout, batch: Int, size: Int
](
    output: TileTensor[mut=True, DTYPE, OutLayout, MutAnyOrigin],
    a: TileTensor[mut=False, DTYPE, InLayout, ImmutAnyOrigin],
):
    """Writes the sums, and more behind them.

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
    var row = block_idx.y
    var total = Scalar[DTYPE](0)
    for column in range(size):
        total += a[row, column]
    if thread_idx.x == 0:
        output[row, 0] = total
    if row + 1 == batch:
        output[batch - 1 + (1 << thread_idx.x), 0] = total
