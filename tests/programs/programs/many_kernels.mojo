"""A hundred launches of a small kernel, or as many as are asked for: more than are observed."""

from std.sys import argv

from max.gpu import global_idx
from max.gpu.host import DeviceContext


def add_one(values: Pointer[Int32, MutAnyOrigin]):
    values[unsafe_offset=Int(global_idx.x)] += 1


def main() raises:
    var count = 100 if len(argv()) < 2 else Int(argv()[1])
    with DeviceContext() as ctx:
        var values = ctx.enqueue_create_buffer[DType.int32](64)
        values.enqueue_fill(0)
        var kernel = ctx.compile_function[add_one]()
        for _ in range(count):
            ctx.enqueue_function(kernel, values, grid_dim=2, block_dim=32)
        with values.map_to_host() as host:
            print(host[0], host[63])


# > 100 100
# arguments: 3
# > 3 3
