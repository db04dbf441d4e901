# gpu: LAUNCH_ERROR: CUDA_ERROR_
# simulator: FINDING: threads reached a trap
# differs: the simulator names the trap and its thread; the driver gives the process up
"""Aborts."""

from layout import TileTensor
from layout.tile_layout import TensorLayout
from max.gpu import block_idx, thread_idx
from std.os import abort

comptime DTYPE = DType.float32


def axis_sum[
    OutLayout: TensorLayout, InLayout: TensorLayout, batch: Int, size: Int
](
    output: TileTensor[mut=True, DTYPE, OutLayout, MutAnyOrigin],
    a: TileTensor[mut=False, DTYPE, InLayout, ImmutAnyOrigin],
):
    """Aborts in one thread of the last row."""
    comptime assert output.flat_rank == 2 and a.flat_rank == 2
    var row = block_idx.y
    var total = Scalar[DTYPE](0)
    for column in range(size):
        total += a[row, column]
    if thread_idx.x == 0:
        output[row, 0] = total
        if row + 1 == batch:
            abort()
