"""One thread zeroes the sum, and the others wait for it."""

from max.gpu import thread_idx
from max.gpu.host import DeviceContext
from max.gpu.memory import AddressSpace
from max.gpu.sync import barrier
from std.atomic import Atomic
from std.memory import stack_allocation

comptime SHARED = AddressSpace.SHARED


def total(output: UnsafePointer[Float32, MutAnyOrigin]):
    var sum = stack_allocation[1, Float32, address_space=SHARED]()
    if thread_idx.x == 0:
        sum[0] = 0
    barrier()
    _ = Atomic.fetch_add(sum, Float32(thread_idx.x))
    barrier()
    if thread_idx.x == 0:
        output[0] = sum[0]


def main() raises:
    with DeviceContext() as ctx:
        var output = ctx.enqueue_create_buffer[DType.float32](1)
        for _ in range(3):
            ctx.enqueue_function[total](output, grid_dim=1, block_dim=64)
            with output.map_to_host() as host:
                print("sum", host[0])
