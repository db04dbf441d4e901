# gpu: LAUNCH_ERROR: CUDA_ERROR_ILLEGAL_ADDRESS
# simulator: FINDING: invalid read of 4 bytes through a null pointer
# differs: the simulator names the access and goes on; the driver gives the process up
"""Reads through a null pointer."""

from layout import TileTensor
from layout.tile_layout import row_major
from max.gpu import block_idx, thread_idx
from std.memory import UnsafePointer

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
    """Adds what lies at address 0."""
    var row = block_idx.y
    var total = Scalar[dtype](0)
    for column in range(SIZE):
        total += a[row, column]
    # The grid is one block wide: the address is 0, and the compiler does not know.
    var nothing = UnsafePointer[Scalar[dtype], MutAnyOrigin](
        unsafe_from_address=Int(block_idx.x)
    )
    if thread_idx.x == 0:
        output[row, 0] = total + nothing.unsafe_load[volatile=True]()
