# gpu: MISMATCH: wrong in output; output\[\d, 0\] expected|depending on what memory held before the launch
# simulator: FINDING: undefined value is stored to output; it comes from shared array 0
# differs: hardware shows only what comes of the value
"""Reads shared memory that nobody wrote."""

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
    """Adds the eight slots of a tile of which six were written."""
    var local_i = thread_idx.x
    var row = block_idx.y
    var cache = stack_allocation[
        dtype=dtype, address_space=AddressSpace.SHARED
    ](row_major[8]())
    if local_i < SIZE:
        cache[local_i] = a[row, local_i]
    barrier()
    if local_i == 0:
        var total = Scalar[dtype](0)
        for slot in range(8):
            total += cache.ptr.unsafe_load[volatile=True](slot)
        output[row, 0] = total
