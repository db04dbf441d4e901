# gpu: TIMEOUT: did not end within [\d.]+ s, the limit \(phase: execute\)
# simulator: TIMEOUT: stopped: no block ended in [\d.]+ s.* at tests/faults/endless_loop\.mojo:\d+
"""Computes for ever."""

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
    """Counts the steps until a generator that never gives 0 gives 0."""
    var row = block_idx.y
    var total = Scalar[dtype](0)
    for column in range(SIZE):
        total += a[row, column]
    var state = UInt32(thread_idx.x) + 1
    var steps = UInt32(0)
    while state != 0:
        state ^= state << 13
        state ^= state >> 17
        state ^= state << 5
        steps += 1
    if thread_idx.x == 0:
        output[row, 0] = total + Scalar[dtype](steps)
