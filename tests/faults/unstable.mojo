# gpu: MISMATCH: output differs between \d+ runs
# simulator: FINDING: nothing orders two writes of output in global memory by different blocks
# differs: hardware shows a race only by what comes of it
"""Gives what the block that comes last writes."""

from layout import TileTensor
from layout.tile_layout import row_major
from max.gpu import block_idx, thread_idx
from std.time import global_perf_counter_ns

comptime BATCH = 4
comptime SIZE = 6
comptime dtype = DType.float32
comptime out_layout = row_major[BATCH, 1]()
comptime OutLayout = type_of(out_layout)
comptime InLayout = type_of(row_major[BATCH, SIZE]())


def axis_sum(
    output: TileTensor[mut=True, dtype, OutLayout, MutAnyOrigin],
    a: TileTensor[mut=False, dtype, InLayout, ImmutAnyOrigin],
    size_dev: Int32,
):
    """Writes its own row's sum to every row, after a while that differs."""
    var row = block_idx.y
    var total = Scalar[dtype](0)
    for column in range(SIZE):
        total += a[row, column]
    if thread_idx.x == 0:
        var start = UInt64(global_perf_counter_ns())
        # Up to 8 microseconds, of which the clock says little: else the blocks
        # would end in the order in which they began.
        var pause = ((start + UInt64(row) * 977) * 0x9E37_79B9_7F4A_7C15) >> 51
        while UInt64(global_perf_counter_ns()) - start < pause:
            pass
        for other in range(BATCH):
            output[other, 0] = total
