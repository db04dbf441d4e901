"""Many launches in turns between two buffers: heat that spreads along a rod."""

from max.gpu import global_idx
from max.gpu.host import DeviceContext

comptime SIZE = 8


def step(
    to: Pointer[Float32, MutAnyOrigin], source: Pointer[Float32, MutAnyOrigin]
):
    var i = Int(global_idx.x)
    if i == 0 or i == SIZE - 1:
        to[unsafe_offset=i] = source[unsafe_offset=i]
    elif i < SIZE:
        to[unsafe_offset=i] = (
            source[unsafe_offset=i - 1] + source[unsafe_offset=i + 1]
        ) / 2


def main() raises:
    with DeviceContext() as ctx:
        var a = ctx.enqueue_create_buffer[DType.float32](SIZE)
        var b = ctx.enqueue_create_buffer[DType.float32](SIZE)
        a.enqueue_fill(0)
        a.create_sub_buffer[DType.float32](0, 1).enqueue_fill(64)
        for _ in range(15):
            ctx.enqueue_function[step](b, a, grid_dim=1, block_dim=SIZE)
            ctx.enqueue_function[step](a, b, grid_dim=1, block_dim=SIZE)
        print(a)


# > DeviceBuffer([64.0, 54.05655, 44.41454, 34.77253, 25.80783, 16.843132, 8.421566, 0.0])
