"""A kernel adds to memory that nobody filled: what follows from that, in kernels and on the host, is not told again."""

from max.gpu import global_idx
from max.gpu.host import DeviceContext


def increase(values: Pointer[Int32, MutAnyOrigin]):
    values[unsafe_offset=Int(global_idx.x)] += 1  # finding: error uninitialised.output


def main() raises:
    with DeviceContext() as ctx:
        var values = ctx.enqueue_create_buffer[DType.int32](4)
        ctx.enqueue_function[increase](values, grid_dim=1, block_dim=4)
        ctx.enqueue_function[increase](values, grid_dim=1, block_dim=4)
        with values.map_to_host() as host:
            print("done", len(host))


# > done 4
