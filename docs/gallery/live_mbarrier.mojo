"""A barrier that is initialised while it lives.

An `mbarrier` counts the arrivals of each phase by itself. Here one thread initialises it again in each round, which
resets a count that others may have begun. The PTX manual leaves undefined what happens then.
"""

from max.gpu import thread_idx
from max.gpu.host import DeviceContext
from max.gpu.memory import AddressSpace
from max.gpu.sync import barrier, mbarrier_init
from max.gpu.sync import mbarrier_arrive, mbarrier_test_wait
from std.memory import stack_allocation

comptime SHARED = AddressSpace.SHARED


def rounds(output: UnsafePointer[Int32, MutAnyOrigin]):
    var phase = stack_allocation[1, Int64, address_space=SHARED]()
    for _ in range(3):
        if thread_idx.x == 0:
            mbarrier_init(phase, 64)
        barrier()
        var token = mbarrier_arrive(phase)
        while not mbarrier_test_wait(phase, token):
            pass
    output[Int(thread_idx.x)] = 3


def main() raises:
    with DeviceContext() as ctx:
        var output = ctx.enqueue_create_buffer[DType.int32](64)
        ctx.enqueue_function[rounds](output, grid_dim=1, block_dim=64)
        with output.map_to_host() as host:
            print("rounds", host[63])
