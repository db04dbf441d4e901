"""Sums one row of a matrix with any number of them."""

from layout import TileTensor
from layout.tile_layout import row_major
from max.gpu import block_idx, thread_idx

comptime SIZE = 6
comptime dtype = DType.float32


def axis_sum[
    batch: Int
](
    output: TileTensor[
        mut=True, dtype, type_of(row_major[batch, 1]()), MutAnyOrigin
    ],
    a: TileTensor[
        mut=False, dtype, type_of(row_major[batch, SIZE]()), ImmutAnyOrigin
    ],
    size_dev: Int32,
):
    """Sums the row of the block."""
    var row = block_idx.y
    var total = Scalar[dtype](0)
    for column in range(SIZE):
        total += a[row, column]
    if thread_idx.x == 0:
        output[row, 0] = total
