"""A counter that is added to atomically, and read plainly.

Blocks count themselves in with an atomic. The first one looks at the counter with a plain load, which the compiler may
move or drop, and which nothing orders after the other blocks' additions.
"""

from max.gpu import block_idx, thread_idx
from max.gpu.host import DeviceContext
from std.atomic import Atomic

comptime Ints = UnsafePointer[Int32, MutAnyOrigin]


def count(seen: Ints, counter: Ints):
    if thread_idx.x == 0:
        _ = Atomic.fetch_add(counter, Int32(1))
        if block_idx.x == 0:
            seen[0] = counter[0]


def main() raises:
    with DeviceContext() as ctx:
        var seen = ctx.enqueue_create_buffer[DType.int32](1)
        var counter = ctx.enqueue_create_buffer[DType.int32](1)
        counter.enqueue_fill(0)
        ctx.enqueue_function[count](seen, counter, grid_dim=16, block_dim=32)
        with seen.map_to_host() as host:
            print("seen", host[0] >= 1)
