# gpu: MISMATCH: written outside output: 1 past its end, the nearest at index 4
# simulator: FINDING: invalid global write of output\[4, 0\]: output has the shape \(4, 1\)
# differs: hardware shows only the effect of the store
"""Stores one element past the output."""

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
    """Writes the sums, and a 0 behind them."""
    var row = block_idx.y
    var total = Scalar[dtype](0)
    for column in range(SIZE):
        total += a[row, column]
    if thread_idx.x == 0:
        output[row, 0] = total
        if row + 1 == BATCH:
            output[row + 1, 0] = 0
