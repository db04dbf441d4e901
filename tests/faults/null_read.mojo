# gpu: LAUNCH_ERROR: CUDA_ERROR_ILLEGAL_ADDRESS
# simulator: FINDING: invalid read of 4 bytes through a null pointer
# differs: the simulator names the access and goes on; the driver gives the process up
"""Reads through a null pointer."""

from layout import TileTensor
from layout.tile_layout import TensorLayout
from max.gpu import block_idx, thread_idx
from std.memory import UnsafePointer

comptime DTYPE = DType.float32


def axis_sum[
    OutLayout: TensorLayout, InLayout: TensorLayout, batch: Int, size: Int
](
    output: TileTensor[mut=True, DTYPE, OutLayout, MutAnyOrigin],
    a: TileTensor[mut=False, DTYPE, InLayout, ImmutAnyOrigin],
):
    """Adds what lies at address 0."""
    comptime assert output.flat_rank == 2 and a.flat_rank == 2
    var row = block_idx.y
    var total = Scalar[DTYPE](0)
    for column in range(size):
        total += a[row, column]
    # The grid is one block wide: the address is 0, and the compiler does not know.
    var nothing = UnsafePointer[Scalar[DTYPE], MutAnyOrigin](
        unsafe_from_address=Int(block_idx.x)
    )
    if thread_idx.x == 0:
        output[row, 0] = total + nothing.unsafe_load[volatile=True]()
