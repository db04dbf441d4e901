"""A second barrier ends each round."""

from max.gpu import thread_idx
from max.gpu.host import DeviceContext
from max.gpu.memory import AddressSpace
from max.gpu.sync import barrier
from std.memory import stack_allocation

comptime SHARED = AddressSpace.SHARED


def add_rounds(output: UnsafePointer[Int32, MutAnyOrigin]):
    var t = Int(thread_idx.x)
    var tile = stack_allocation[256, Int32, address_space=SHARED]()
    var sum = Int32(0)
    for round in range(4):
        tile[t] = Int32(round)
        barrier()
        sum += tile[255 - t]
        barrier()
    output[t] = sum


def main() raises:
    with DeviceContext() as ctx:
        var output = ctx.enqueue_create_buffer[DType.int32](256)
        ctx.enqueue_function[add_rounds](output, grid_dim=1, block_dim=256)
        with output.map_to_host() as host:
            print("sum", host[0], host[255])
