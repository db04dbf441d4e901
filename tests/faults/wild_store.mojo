# gpu: LAUNCH_ERROR: CUDA_ERROR_ILLEGAL_ADDRESS
# simulator: FINDING: invalid write of 4 bytes through no allocation
# differs: the simulator names the access and goes on; the driver gives the process up
"""Stores far away from every allocation."""

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
    """Stores a row's sum 64 TiB behind `output`."""
    comptime assert output.flat_rank == 2 and a.flat_rank == 2
    var row = block_idx.y
    var total = Scalar[DTYPE](0)
    for column in range(size):
        total += a[row, column]
    if thread_idx.x == 0:
        output[row, 0] = total
        output.ptr.unsafe_offset(1 << 44).unsafe_store[volatile=True](total)
