"""A warp that relies on lockstep.

The last steps of a tree need no barrier of the block, since one warp does them alone. But its lanes do not take each
step together: without a `syncwarp` a lane may read its neighbour's sum before or after it is written.
"""

from max.gpu import thread_idx
from max.gpu.host import DeviceContext
from max.gpu.memory import AddressSpace
from max.gpu.sync import syncwarp
from std.memory import stack_allocation

comptime SHARED = AddressSpace.SHARED


def sum_of(output: UnsafePointer[Int32, MutAnyOrigin]):
    var t = Int(thread_idx.x)
    var sums = stack_allocation[32, Int32, address_space=SHARED]()
    sums[t] = Int32(t)
    var step = 16
    while step > 0:
        if t < step:
            sums[t] += sums[t + step]
        step //= 2
    if t == 0:
        output[0] = sums[0]


def main() raises:
    with DeviceContext() as ctx:
        var output = ctx.enqueue_create_buffer[DType.int32](1)
        ctx.enqueue_function[sum_of](output, grid_dim=1, block_dim=32)
        with output.map_to_host() as host:
            print("sum", host[0])
