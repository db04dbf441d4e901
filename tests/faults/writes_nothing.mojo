# gpu: MISMATCH: output never written: 4 of 4
# simulator: MISMATCH: output never written: 4 of 4
"""Writes nothing."""

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
    """Does nothing."""
    comptime assert output.flat_rank == 2 and a.flat_rank == 2
    pass
