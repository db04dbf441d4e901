"""A barrier that some threads miss.

The guard returns before the barrier, so 14 of the 64 threads never come to it. Whether a barrier waits for threads that
have ended depends on the GPU.
"""

from max.gpu import thread_idx
from max.gpu.host import DeviceContext
from max.gpu.memory import AddressSpace
from max.gpu.sync import barrier
from std.memory import stack_allocation

comptime SHARED = AddressSpace.SHARED


def turn(output: UnsafePointer[Int32, MutAnyOrigin]):
    var t = Int(thread_idx.x)
    var tile = stack_allocation[64, Int32, address_space=SHARED]()
    if t >= 50:
        return
    tile[t] = Int32(t)
    barrier()
    output[t] = tile[49 - t]


def main() raises:
    with DeviceContext() as ctx:
        var output = ctx.enqueue_create_buffer[DType.int32](50)
        ctx.enqueue_function[turn](output, grid_dim=1, block_dim=64)
        with output.map_to_host() as host:
            print(host[0], host[49])
