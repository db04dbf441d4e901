# gpu: MISMATCH: output differs between \d+ runs
# simulator: FINDING: nothing orders two writes of output in global memory by different blocks
# differs: hardware shows a race only by what comes of it
"""Gives what the block that comes last writes."""

from layout import TileTensor
from layout.tile_layout import TensorLayout
from max.gpu import block_idx, thread_idx
from std.time import global_perf_counter_ns

comptime DTYPE = DType.float32


def axis_sum[
    OutLayout: TensorLayout, InLayout: TensorLayout, batch: Int, size: Int
](
    output: TileTensor[mut=True, DTYPE, OutLayout, MutAnyOrigin],
    a: TileTensor[mut=False, DTYPE, InLayout, ImmutAnyOrigin],
):
    """Writes its own row's sum to every row, after a while that differs."""
    comptime assert output.flat_rank == 2 and a.flat_rank == 2
    var row = block_idx.y
    var total = Scalar[DTYPE](0)
    for column in range(size):
        total += a[row, column]
    if thread_idx.x == 0:
        var start = UInt64(global_perf_counter_ns())
        # Up to 8 microseconds, of which the clock says little: else the blocks
        # would end in the order in which they began.
        var pause = ((start + UInt64(row) * 977) * 0x9E37_79B9_7F4A_7C15) >> 51
        while UInt64(global_perf_counter_ns()) - start < pause:
            pass
        for other in range(batch):
            output[other, 0] = total
