"""A histogram by atomic additions of all blocks."""

from std.atomic import Atomic

from max.gpu import global_idx
from max.gpu.host import DeviceContext


def count(
    bins: Pointer[Int32, MutAnyOrigin],
    values: Pointer[Int32, MutAnyOrigin],
    length: Int32,
):
    var i = Int(global_idx.x)
    if i < Int(length):
        var bin = Int(values[unsafe_offset=i])
        _ = Atomic.fetch_add(bins.unsafe_offset(bin), 1)


def main() raises:
    with DeviceContext() as ctx:
        var bins = ctx.enqueue_create_buffer[DType.int32](4)
        bins.enqueue_fill(0)
        var values = ctx.enqueue_create_buffer[DType.int32](100)
        with values.map_to_host() as host:
            for i in range(100):
                host[i] = Int32(i * i % 4)
        ctx.enqueue_function[count](
            bins, values, Int32(100), grid_dim=4, block_dim=32
        )
        print(bins)


# > DeviceBuffer([50, 50, 0, 0])
