# gpu: LAUNCH_ERROR: CUDA_ERROR_
# simulator: FINDING: threads reached a trap
# differs: the simulator names the trap and its thread; the driver gives the process up
"""Aborts."""

from layout import TileTensor
from layout.tile_layout import row_major
from max.gpu import block_idx, thread_idx
from std.os import abort

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
    """Aborts in one thread of the last row."""
    var row = block_idx.y
    var total = Scalar[dtype](0)
    for column in range(SIZE):
        total += a[row, column]
    if thread_idx.x == 0:
        output[row, 0] = total
        if row + 1 == BATCH:
            abort()
