"""A radix sort that is right for 32 lanes alone.

A split by one bit counts the ones before each key: those of its warp by a scan, those of the warps before it through
shared memory. The code takes 32 threads for a warp. A warp of AMD's data center GPUs has 64 lanes, so it counts the
first 32 twice there, and keys land after the end of the buffer.
"""

from max.gpu import thread_idx
from max.gpu.host import DeviceContext
from max.gpu.memory import AddressSpace
from max.gpu.primitives import warp
from max.gpu.sync import barrier
from std.memory import stack_allocation


def split(sorted: UnsafePointer[Int32, MutAnyOrigin]):
    var t = Int(thread_idx.x)
    var sums = stack_allocation[2, Int32, address_space=AddressSpace.SHARED]()
    var ones = warp.prefix_sum(Int32(t & 1))
    if t % 32 == 31:
        sums[t // 32] = ones
    barrier()
    if t >= 32:
        ones += sums[0]
    sorted[31 + Int(ones) if t & 1 else t - Int(ones)] = Int32(t & 1)


def main() raises:
    with DeviceContext() as ctx:
        var sorted = ctx.enqueue_create_buffer[DType.int32](64)
        sorted.enqueue_fill(-1)
        ctx.enqueue_function[split](sorted, grid_dim=1, block_dim=64)
        with sorted.map_to_host() as host:
            print(host[0], host[31], host[32], host[63])
