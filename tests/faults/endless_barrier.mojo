# gpu: TIMEOUT: did not end within [\d.]+ s, the limit \(phase: execute\)
# simulator: FINDING: deadlock: 32 threads wait .*barrier.* for others .*at tests/faults/endless_barrier\.mojo:\d+
# differs: the simulator knows that nobody else can come; hardware waits
"""Waits at a barrier for more threads than the block has."""

from layout import TileTensor
from layout.tile_layout import row_major
from max.gpu import block_idx, thread_idx
from max.gpu.sync import named_barrier

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
    """Waits at barrier 1 for two warps, where there is one."""
    var row = block_idx.y
    var total = Scalar[dtype](0)
    for column in range(SIZE):
        total += a[row, column]
    named_barrier[64](1)
    if thread_idx.x == 0:
        output[row, 0] = total
