# gpu: MISMATCH: input a was changed at \[0, 0\]
# simulator: FINDING: write of 4 bytes to a, which is read-only
# differs: hardware shows only the effect of the store
"""Changes its input."""

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
    """Leaves a row's sum in the input too."""
    var row = block_idx.y
    var total = Scalar[dtype](0)
    for column in range(SIZE):
        total += a[row, column]
    if thread_idx.x == 0:
        output[row, 0] = total
        var address = Int(a.ptr) + Int(row) * SIZE * 4
        var first = UnsafePointer[Scalar[dtype], MutAnyOrigin](
            unsafe_from_address=address
        )
        first.unsafe_store[volatile=True](total)
