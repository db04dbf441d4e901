# gpu: PASS:
# simulator: PASS: a block uses TPB elements of shared memory .*this kernel uses 65536 bytes
"""Declares more shared memory than a kernel gets unasked."""

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
    """Stages a row in 64 KiB of shared memory."""
    comptime assert output.flat_rank == 2 and a.flat_rank == 2
    var row = block_idx.y
    var total = Scalar[DTYPE](0)
    for column in range(size):
        total += a[row, column]
    var cache = stack_allocation[
        dtype=DTYPE, address_space=AddressSpace.SHARED
    ](row_major[64 * 256]())
    var slot = (64 * 256 - 1) * Int(thread_idx.x) // 7
    cache[slot] = total
    barrier()
    if thread_idx.x == 0:
        output[row, 0] = cache[0]
