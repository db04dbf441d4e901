# gpu: COMPILE_ERROR: does_not_compile\.mojo:\d+:\d+: error: .*no_such_function
# simulator: COMPILE_ERROR: does_not_compile\.mojo:\d+:\d+: error: .*no_such_function
"""Calls a function that does not exist."""

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
    """Calls what does not exist."""
    comptime assert output.flat_rank == 2 and a.flat_rank == 2
    var row = block_idx.y
    var total = Scalar[DTYPE](0)
    for column in range(size):
        total += a[row, column]
    output[row, 0] = no_such_function(total)
