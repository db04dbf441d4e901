"""The width of a warp has its name."""

from max.gpu import thread_idx
from max.gpu.host import DeviceContext
from max.gpu.memory import AddressSpace
from max.gpu.primitives import warp
from max.gpu.primitives.warp import WARP_SIZE
from max.gpu.sync import barrier
from std.memory import stack_allocation


def split(sorted: UnsafePointer[Int32, MutAnyOrigin]):
    var t = Int(thread_idx.x)
    var sums = stack_allocation[2, Int32, address_space=AddressSpace.SHARED]()
    var ones = warp.prefix_sum(Int32(t & 1))
    if t % WARP_SIZE == WARP_SIZE - 1:
        sums[t // WARP_SIZE] = ones
    barrier()
    if t >= WARP_SIZE:
        ones += sums[0]
    sorted[31 + Int(ones) if t & 1 else t - Int(ones)] = Int32(t & 1)


def main() raises:
    with DeviceContext() as ctx:
        var sorted = ctx.enqueue_create_buffer[DType.int32](64)
        sorted.enqueue_fill(-1)
        ctx.enqueue_function[split](sorted, grid_dim=1, block_dim=64)
        with sorted.map_to_host() as host:
            print(host[0], host[31], host[32], host[63])
