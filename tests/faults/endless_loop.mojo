# gpu: TIMEOUT: did not end within [\d.]+ s \(phase: execute\)
# simulator: TIMEOUT: did not end within [\d.]+ s.* at tests/faults/endless_loop\.mojo:\d+
"""Computes for ever."""

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
    """Counts the steps until a generator that never gives 0 gives 0."""
    comptime assert output.flat_rank == 2 and a.flat_rank == 2
    var row = block_idx.y
    var total = Scalar[DTYPE](0)
    for column in range(size):
        total += a[row, column]
    var state = UInt32(thread_idx.x) + 1
    var steps = UInt32(0)
    while state != 0:
        state ^= state << 13
        state ^= state >> 17
        state ^= state << 5
        steps += 1
    if thread_idx.x == 0:
        output[row, 0] = total + Scalar[DTYPE](steps)
