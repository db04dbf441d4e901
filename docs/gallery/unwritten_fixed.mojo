"""The slots that belong to no thread hold zeros."""

from max.gpu import thread_idx
from max.gpu.host import DeviceContext
from max.gpu.memory import AddressSpace
from max.gpu.sync import barrier
from std.memory import stack_allocation

comptime SHARED = AddressSpace.SHARED


def sum_of(output: UnsafePointer[Float32, MutAnyOrigin]):
    var t = Int(thread_idx.x)
    var sums = stack_allocation[64, Float32, address_space=SHARED]()
    sums[t] = 1
    if t < 16:
        sums[48 + t] = 0
    var step = 32
    while step > 0:
        barrier()
        if t < step:
            sums[t] += sums[t + step]
        step //= 2
    if t == 0:
        output[0] = sums[0]


def main() raises:
    with DeviceContext() as ctx:
        var output = ctx.enqueue_create_buffer[DType.float32](1)
        ctx.enqueue_function[sum_of](output, grid_dim=1, block_dim=48)
        print(output)
