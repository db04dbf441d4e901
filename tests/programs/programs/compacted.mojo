"""Copies of more than was written: the host reads, or writes, no more than it may.

The twin of `uninitialised_copy`. Fronts end within a page of the host's memory, and far behind the first one.
"""

from max.gpu import global_idx
from max.gpu.host import DeviceContext
from std.atomic import Atomic

comptime SIZE = 5000


def even_values(
    to: Pointer[Int32, MutAnyOrigin],
    count: Pointer[Int32, MutAnyOrigin],
    values: Pointer[Int32, MutAnyOrigin],
):
    var value = values[unsafe_offset=Int(global_idx.x)]
    if value % 2 == 0:
        to[unsafe_offset=Int(Atomic.fetch_add(count, 1))] = value


def main() raises:
    with DeviceContext() as ctx:
        var values = ctx.enqueue_create_buffer[DType.int32](SIZE)
        with values.map_to_host() as host:
            for i in range(SIZE):
                host[i] = Int32(i)
        var even = ctx.enqueue_create_buffer[DType.int32](SIZE)
        var count = ctx.enqueue_create_buffer[DType.int32](1)
        count.enqueue_fill(0)
        ctx.enqueue_function[even_values](
            even, count, values, grid_dim=SIZE // 8, block_dim=8
        )
        with count.map_to_host() as count_on_host:
            with even.map_to_host() as host:
                var sum = 0
                for i in range(Int(count_on_host[0])):
                    sum += Int(host[i])
                for i in range(Int(count_on_host[0]), SIZE):
                    host[i] = -1
                print(sum, host[SIZE - 1])


# > 6247500 -1
