"""A shuffle from lanes that left.

The guard comes first, so only 20 lanes are left when they add up their values with shuffles. What a lane gets from one
that left is undefined.
"""

from max.gpu import thread_idx
from max.gpu.host import DeviceContext
from max.gpu.primitives import warp


def sum_of(output: UnsafePointer[Int32, MutAnyOrigin]):
    var t = Int(thread_idx.x)
    if t >= 20:
        return
    var total = warp.sum(Int32(1))
    output[t] = total


def main() raises:
    with DeviceContext() as ctx:
        var output = ctx.enqueue_create_buffer[DType.int32](20)
        ctx.enqueue_function[sum_of](output, grid_dim=1, block_dim=64)
        with output.map_to_host() as host:
            print("sum", host[0])
