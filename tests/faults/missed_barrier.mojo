# gpu: PASS:
# simulator: FINDING: a barrier is missed by 4 threads of the block, which ended before
# differs: hardware does not wait for threads that have ended
"""Half of a block leaves before a barrier."""

from layout import TileTensor
from layout.tile_layout import TensorLayout
from max.gpu import block_idx, thread_idx
from max.gpu.sync import barrier

comptime DTYPE = DType.float32


def axis_sum[
    OutLayout: TensorLayout, InLayout: TensorLayout, batch: Int, size: Int
](
    output: TileTensor[mut=True, DTYPE, OutLayout, MutAnyOrigin],
    a: TileTensor[mut=False, DTYPE, InLayout, ImmutAnyOrigin],
):
    """Ends half of the threads before a barrier."""
    comptime assert output.flat_rank == 2 and a.flat_rank == 2
    var row = block_idx.y
    var total = Scalar[DTYPE](0)
    for column in range(size):
        total += a[row, column]
    if thread_idx.x >= 4:
        return
    barrier()
    if thread_idx.x == 0:
        output[row, 0] = total
