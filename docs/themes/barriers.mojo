"""A neighbour is read, and nobody waits for it."""

from layout.tile_layout import row_major
from layout.tile_tensor import stack_allocation
from max.gpu import thread_idx
from max.gpu.host import DeviceContext
from max.gpu.memory import AddressSpace

comptime TPB = 64


def shift(output: UnsafePointer[Int32, MutAnyOrigin]):
    var i = thread_idx.x
    var shared = stack_allocation[
        dtype=DType.int32, address_space=AddressSpace.SHARED
    ](row_major[TPB]())
    shared[i] = Int32(i)
    output[i] = shared[(i + 1) % TPB]  # finding: error race.shared.write-read


def main() raises:
    with DeviceContext() as ctx:
        var output = ctx.enqueue_create_buffer[DType.int32](TPB)
        ctx.enqueue_function[shift](output, grid_dim=1, block_dim=TPB)
        ctx.synchronize()
        print("done")


# targets: nvidia
# natively: a race shows where it likes
# > done
