# gpu: PASS:
# simulator: FINDING: 4 threads of the block ended before a barrier at which the others wait
# differs: hardware does not wait for threads that have ended
"""Half of a block leaves before a barrier."""

from layout import TileTensor
from layout.tile_layout import row_major
from max.gpu import block_idx, thread_idx
from max.gpu.sync import barrier

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
    """Ends half of the threads before a barrier."""
    var row = block_idx.y
    var total = Scalar[dtype](0)
    for column in range(SIZE):
        total += a[row, column]
    if thread_idx.x >= 4:
        return
    barrier()
    if thread_idx.x == 0:
        output[row, 0] = total
