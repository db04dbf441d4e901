# gpu: PASS:
# simulator: TIMEOUT: livelock: .* tests/faults/crossed_barriers\.mojo:\d+
# differs: the aligned barrier's rule is that all lanes of a warp reach it together; an H200 counts the warp when some do
"""Half of a block waits for a barrier, the other half for what comes after it."""

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
    """Waits crosswise at a barrier and on a flag."""
    var row = block_idx.y
    var total = Scalar[dtype](0)
    for column in range(SIZE):
        total += a[row, column]
    var flag = stack_allocation[
        dtype=DType.int32, address_space=AddressSpace.SHARED
    ](row_major[1]())
    if thread_idx.x == 0:
        flag[0] = 0
    barrier()
    if thread_idx.x < 4:
        barrier()
        flag.ptr.unsafe_store[volatile=True](1)
    else:
        while flag.ptr.unsafe_load[volatile=True]() == 0:
            pass
        barrier()
    if thread_idx.x == 0:
        output[row, 0] = total
