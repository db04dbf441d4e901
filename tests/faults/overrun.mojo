# gpu: MISMATCH: written outside output: 1 past its end, the nearest at index 4
# simulator: FINDING: invalid global write of 4 bytes, 0 bytes after the end of output
# differs: hardware shows only what the store left behind
"""Stores one element past the output."""

from layout import TileTensor
from layout.tile_layout import TensorLayout
from max.gpu import block_idx, thread_idx

comptime DTYPE = DType.float32


def axis_sum[
    OutLayout: TensorLayout, InLayout: TensorLayout, batch: Int, size: Int
](
    output: TileTensor[mut=True, DTYPE, OutLayout, MutAnyOrigin],
    a: TileTensor[mut=False, DTYPE, InLayout, ImmutAnyOrigin],
):
    """Writes the sums, and a 0 behind them."""
    comptime assert output.flat_rank == 2 and a.flat_rank == 2
    var row = block_idx.y
    var total = Scalar[DTYPE](0)
    for column in range(size):
        total += a[row, column]
    if thread_idx.x == 0:
        output[row, 0] = total
        if row + 1 == batch:
            output[row + 1, 0] = 0
