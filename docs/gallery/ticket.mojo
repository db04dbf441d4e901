"""A ticket without a barrier.

The last block to finish adds up what all blocks left. One thread draws the ticket and tells the others through shared
memory, but nothing makes them wait for it: they read the flag before it is there.
"""

from max.gpu import block_idx, grid_dim, thread_idx
from max.gpu.host import DeviceContext
from max.gpu.memory import AddressSpace
from max.gpu.sync import barrier
from std.atomic import Atomic, Ordering, fence
from std.memory import stack_allocation

comptime Ints = UnsafePointer[Int32, MutAnyOrigin]


def finish(output: Ints, tickets: Ints):
    var last = stack_allocation[1, Bool, address_space=AddressSpace.SHARED]()
    if thread_idx.x == 0:
        fence[Ordering.SEQUENTIAL]()
        last[0] = (
            Int(Atomic.fetch_add(tickets, Int32(1))) == Int(grid_dim.x) - 1
        )
    if last[0]:
        output[Int(thread_idx.x)] = Int32(block_idx.x) + 1


def main() raises:
    with DeviceContext() as ctx:
        var output = ctx.enqueue_create_buffer[DType.int32](128)
        var tickets = ctx.enqueue_create_buffer[DType.int32](1)
        tickets.enqueue_fill(0)
        ctx.enqueue_function[finish](output, tickets, grid_dim=8, block_dim=128)
        with output.map_to_host() as host:
            print("written", host[0] > 0, host[127] > 0)
