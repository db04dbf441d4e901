"""A hundred launches of a small kernel, more than are observed."""

from max.gpu import global_idx
from max.gpu.host import DeviceContext


def add_one(values: Pointer[Int32, MutAnyOrigin]):
    values[unsafe_offset=Int(global_idx.x)] += 1


def main() raises:
    with DeviceContext() as ctx:
        var values = ctx.enqueue_create_buffer[DType.int32](64)
        values.enqueue_fill(0)
        var kernel = ctx.compile_function[add_one]()
        for _ in range(100):
            ctx.enqueue_function(kernel, values, grid_dim=2, block_dim=32)
        with values.map_to_host() as host:
            print(host[0], host[63])


# > 100 100
