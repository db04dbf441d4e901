"""The scratch array has a slot for each sum."""

from max.gpu import thread_idx
from max.gpu.host import DeviceContext
from max.gpu.memory import AddressSpace
from max.gpu.sync import barrier
from std.memory import stack_allocation

comptime SHARED = AddressSpace.SHARED


def starts(output: UnsafePointer[Int32, MutAnyOrigin]):
    var t = Int(thread_idx.x)
    var scratch = stack_allocation[33, Int32, address_space=SHARED]()
    var counters = stack_allocation[4, Int32, address_space=SHARED]()
    if t < 4:
        counters[t] = 0
    scratch[t + 1] = Int32(t * (t + 1) // 2)
    barrier()
    output[t] = scratch[t] if t > 0 else counters[3]


def main() raises:
    with DeviceContext() as ctx:
        var output = ctx.enqueue_create_buffer[DType.int32](32)
        ctx.enqueue_function[starts](output, grid_dim=1, block_dim=32)
        with output.map_to_host() as host:
            print("counter", host[0], "last start", host[31])
