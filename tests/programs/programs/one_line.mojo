"""One line is wrong in each copy of a loop, for each buffer, in each launch: that is one finding."""

from max.gpu import global_idx
from max.gpu.host import DeviceBuffer, DeviceContext

comptime SIZE = 6
comptime TILE = 4


def add(to: Pointer[Int32, MutAnyOrigin], values: Pointer[Int32, MutAnyOrigin]):
    var first = Int(global_idx.x) * TILE
    comptime for i in range(TILE):
        to[unsafe_offset=first + i] += values[unsafe_offset=first + i]  # finding: error out-of-bounds.after


def add_guarded(
    to: Pointer[Int32, MutAnyOrigin], values: Pointer[Int32, MutAnyOrigin]
):
    var first = Int(global_idx.x) * TILE
    comptime for i in range(TILE):
        if first + i < SIZE:
            to[unsafe_offset=first + i] += values[unsafe_offset=first + i]


def main() raises:
    with DeviceContext() as ctx:
        var values = ctx.enqueue_create_buffer[DType.int32](SIZE)
        values.enqueue_fill(2)
        var sums = [
            ctx.enqueue_create_buffer[DType.int32](SIZE),
            ctx.enqueue_create_buffer[DType.int32](SIZE),
        ]
        for sum in sums:
            sum.enqueue_fill(1)
            for _ in range(2):
                ctx.enqueue_function[add](sum, values, grid_dim=1, block_dim=2)
                ctx.enqueue_function[add_guarded](
                    sum, values, grid_dim=1, block_dim=2
                )
        with sums[1].map_to_host() as host:
            print(host[0], host[SIZE - 1])


# natively: it writes outside its buffers
# > 9 9
