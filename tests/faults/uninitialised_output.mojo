# gpu: MISMATCH: 4 of 4 wrong in output; output\[0, 0\] expected 15\.0 got nan
# simulator: FINDING: undefined value is stored to output; it comes from output, not initialised
# differs: hardware shows only what comes of the value
"""Adds to an output that nobody initialised."""

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
    """Adds a row's sum to what `output` holds."""
    var row = block_idx.y
    var total = Scalar[dtype](0)
    for column in range(SIZE):
        total += a[row, column]
    if thread_idx.x == 0:
        output[row, 0] += total
