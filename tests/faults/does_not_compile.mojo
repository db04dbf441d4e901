# gpu: COMPILE_ERROR: does_not_compile\.mojo:\d+:\d+: error: .*no_such_function
# simulator: COMPILE_ERROR: does_not_compile\.mojo:\d+:\d+: error: .*no_such_function
"""Calls a function that does not exist."""

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
    """Calls what does not exist."""
    var row = block_idx.y
    var total = Scalar[dtype](0)
    for column in range(SIZE):
        total += a[row, column]
    output[row, 0] = no_such_function(total)
