# gpu: MISMATCH: 4 of 4 wrong: output\[0, 0\] expected 15\.0 got nan
# simulator: FINDING: undefined value is stored to output; it comes from output, not initialised
# differs: hardware shows only what comes of the value
"""Adds to an output that nobody initialised."""

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
    """Adds a row's sum to what `output` holds."""
    comptime assert output.flat_rank == 2 and a.flat_rank == 2
    var row = block_idx.y
    var total = Scalar[DTYPE](0)
    for column in range(size):
        total += a[row, column]
    if thread_idx.x == 0:
        output[row, 0] += total
