# gpu: COMPILE_ERROR: uses too much shared data \(0x100000 bytes
# simulator: LAUNCH_ERROR: 1048576 bytes of shared memory
# differs: graphs are assembled when they are compiled, and the assembler refuses it
"""Declares more shared memory than a multiprocessor has."""

from layout import TileTensor
from layout.tile_layout import row_major
from layout.tile_tensor import stack_allocation
from max.gpu import block_idx, thread_idx
from max.gpu.memory import AddressSpace
from max.gpu.sync import barrier

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
    """Stages a row in 1024 KiB of shared memory."""
    var row = block_idx.y
    var total = Scalar[dtype](0)
    for column in range(SIZE):
        total += a[row, column]
    var cache = stack_allocation[
        dtype=dtype, address_space=AddressSpace.SHARED
    ](row_major[1024 * 256]())
    var slot = (1024 * 256 - 1) * Int(thread_idx.x) // 7
    cache[slot] = total
    barrier()
    if thread_idx.x == 0:
        output[row, 0] = cache[0]
