# gpu: LAUNCH_ERROR: CUDA_ERROR_ILLEGAL_ADDRESS
# simulator: FINDING: invalid write of 4 bytes through no allocation
# differs: the simulator names the access and goes on; the driver gives the process up
"""Stores far away from every allocation."""

from layout import TileTensor
from layout.tile_layout import row_major
from max.gpu import block_idx, thread_idx

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
    """Stores a row's sum 64 TiB behind `output`."""
    var row = block_idx.y
    var total = Scalar[dtype](0)
    for column in range(SIZE):
        total += a[row, column]
    if thread_idx.x == 0:
        output[row, 0] = total
        output.ptr.unsafe_offset(1 << 44).unsafe_store[volatile=True](total)
