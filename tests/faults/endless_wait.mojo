# gpu: TIMEOUT: did not end within [\d.]+ s \(phase: execute\)
# simulator: TIMEOUT: livelock: .* tests/faults/endless_wait\.mojo:\d+
"""Waits for a flag that nobody sets."""

from layout import TileTensor
from layout.tile_layout import TensorLayout, row_major
from layout.tile_tensor import stack_allocation
from max.gpu import block_idx, thread_idx
from max.gpu.memory import AddressSpace
from max.gpu.sync import barrier

comptime DTYPE = DType.float32


def axis_sum[
    OutLayout: TensorLayout, InLayout: TensorLayout, batch: Int, size: Int
](
    output: TileTensor[mut=True, DTYPE, OutLayout, MutAnyOrigin],
    a: TileTensor[mut=False, DTYPE, InLayout, ImmutAnyOrigin],
):
    """Spins on a word of shared memory."""
    comptime assert output.flat_rank == 2 and a.flat_rank == 2
    var row = block_idx.y
    var total = Scalar[DTYPE](0)
    for column in range(size):
        total += a[row, column]
    var flag = stack_allocation[
        dtype=DType.int32, address_space=AddressSpace.SHARED
    ](row_major[1]())
    if thread_idx.x == 0:
        flag[0] = 0
    barrier()
    while flag.ptr.unsafe_load[volatile=True]() == 0:
        pass
    if thread_idx.x == 0:
        output[row, 0] = total
