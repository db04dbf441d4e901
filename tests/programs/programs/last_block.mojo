"""The block that comes last adds the sums of all: who that is says a counter, and fences order the rest."""

from std.atomic import Atomic, Ordering, fence
from max.gpu import block_idx, grid_dim, thread_idx
from max.gpu.host import DeviceContext
from max.gpu.memory import AddressSpace
from max.gpu.primitives import block
from max.gpu.sync import barrier
from std.memory import stack_allocation

comptime TPB = 64


def sum_all(
    to: UnsafePointer[Int32, MutAnyOrigin],
    partial: UnsafePointer[Int32, MutAnyOrigin],
    counter: UnsafePointer[Int32, MutAnyOrigin],
    a: UnsafePointer[Int32, ImmutAnyOrigin],
):
    var last = stack_allocation[1, Bool, address_space=AddressSpace.SHARED]()
    var t = Int(thread_idx.x)
    var own = block.sum[block_size=TPB](a[Int(block_idx.x) * TPB + t])
    if t == 0:
        partial[Int(block_idx.x)] = own
        fence[Ordering.SEQUENTIAL]()
        var before = Atomic.fetch_add(counter, Int32(1))
        fence[Ordering.SEQUENTIAL]()
        last[0] = Int(before) == Int(grid_dim.x) - 1
    barrier()
    if last[0]:
        var value = partial[t] if t < Int(grid_dim.x) else Int32(0)
        var total = block.sum[block_size=TPB](value)
        if t == 0:
            to[0] = total


def main() raises:
    comptime BLOCKS = 5
    with DeviceContext() as ctx:
        var a = ctx.enqueue_create_buffer[DType.int32](BLOCKS * TPB)
        var partial = ctx.enqueue_create_buffer[DType.int32](BLOCKS)
        var counter = ctx.enqueue_create_buffer[DType.int32](1)
        var to = ctx.enqueue_create_buffer[DType.int32](1)
        counter.enqueue_fill(0)
        with a.map_to_host() as host:
            for i in range(BLOCKS * TPB):
                host[i] = Int32(i)
        ctx.enqueue_function[sum_all](
            to, partial, counter, a, grid_dim=BLOCKS, block_dim=TPB
        )
        with to.map_to_host() as host:
            print(
                "sum",
                host[0],
                "expected",
                BLOCKS * TPB * (BLOCKS * TPB - 1) // 2,
            )


# Apple's barrier orders shared memory alone, so there nothing hands on to the whole block what one thread has seen.
# targets: nvidia amd
# > sum 51040 expected 51040
