# gpu: MISMATCH: input a was changed at \[0, 0\]
# simulator: FINDING: write of 4 bytes to a, which is read-only
# differs: hardware shows only what the store left behind
"""Changes its input."""

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
    """Leaves a row's sum in the input too."""
    comptime assert output.flat_rank == 2 and a.flat_rank == 2
    var row = block_idx.y
    var total = Scalar[DTYPE](0)
    for column in range(size):
        total += a[row, column]
    if thread_idx.x == 0:
        output[row, 0] = total
        var address = Int(a.ptr) + Int(row) * size * 4
        var first = UnsafePointer[Scalar[DTYPE], MutAnyOrigin](
            unsafe_from_address=address
        )
        first.unsafe_store[volatile=True](total)
