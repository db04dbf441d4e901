"""A kernel writes half of a buffer; another one, and the host, read more of it."""

from max.gpu import global_idx
from max.gpu.host import DeviceContext

comptime HALF = 64


def fill(values: Pointer[Int32, MutAnyOrigin]):
    values[unsafe_offset=Int(global_idx.x)] = Int32(global_idx.x)


def copy(
    output: Pointer[Int32, MutAnyOrigin],
    values: Pointer[Int32, ImmutAnyOrigin],
    first: Int32,
):
    var i = Int(global_idx.x)
    var value = values[unsafe_offset=Int(first) + i]
    output[unsafe_offset=i] = value  # finding: error uninitialised.output


def main() raises:
    with DeviceContext() as ctx:
        var values = ctx.enqueue_create_buffer[DType.int32](2 * HALF)
        var output = ctx.enqueue_create_buffer[DType.int32](HALF)
        ctx.enqueue_function[fill](values, grid_dim=2, block_dim=32)
        ctx.enqueue_function[copy](
            output, values, Int32(0), grid_dim=2, block_dim=32
        )
        ctx.enqueue_function[copy](
            output, values, Int32(1), grid_dim=2, block_dim=32
        )
        with values.map_to_host() as host:  # finding: error uninitialised-copy
            print(host[0], host[HALF - 1], host[HALF] == host[HALF + 1])


# natively: it reads what nobody wrote
# > 0 63 True
