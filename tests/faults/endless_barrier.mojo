# gpu: TIMEOUT: did not end within [\d.]+ s \(phase: execute\)
# simulator: FINDING: deadlock: 32 threads wait at .*barrier.*at tests/faults/endless_barrier\.mojo:\d+
# differs: the simulator knows that nobody else can come; hardware waits
"""Waits at a barrier for more threads than the block has."""

from layout import TileTensor
from layout.tile_layout import TensorLayout
from max.gpu import block_idx, thread_idx
from max.gpu.sync import named_barrier

comptime DTYPE = DType.float32


def axis_sum[
    OutLayout: TensorLayout, InLayout: TensorLayout, batch: Int, size: Int
](
    output: TileTensor[mut=True, DTYPE, OutLayout, MutAnyOrigin],
    a: TileTensor[mut=False, DTYPE, InLayout, ImmutAnyOrigin],
):
    """Waits at barrier 1 for two warps, where there is one."""
    comptime assert output.flat_rank == 2 and a.flat_rank == 2
    var row = block_idx.y
    var total = Scalar[DTYPE](0)
    for column in range(size):
        total += a[row, column]
    named_barrier[64](1)
    if thread_idx.x == 0:
        output[row, 0] = total
