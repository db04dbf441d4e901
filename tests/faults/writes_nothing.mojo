# gpu: MISMATCH: output never written: 4 of 4
# simulator: MISMATCH: output never written: 4 of 4
"""Writes nothing."""

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
    """Does nothing."""
    pass
