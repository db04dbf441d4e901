"""The twin of `uninitialised_copy`: what is mapped is written, by the kernel or by the host, or not looked at."""

from max.gpu import global_idx
from max.gpu.host import DeviceContext


def whole(values: Pointer[Int32, MutAnyOrigin]):
    values[unsafe_offset=Int(global_idx.x)] += 1


def main() raises:
    with DeviceContext() as ctx:
        var values = ctx.enqueue_create_buffer[DType.int32](4)
        with values.map_to_host() as host:
            for i in range(4):
                host[i] = Int32(-i)
        var unused = ctx.enqueue_create_buffer[DType.int32](4)
        with unused.map_to_host():
            pass
        ctx.enqueue_function[whole](values, grid_dim=1, block_dim=4)
        with values.map_to_host() as host:
            print(host)


# > HostBuffer([1, 0, -1, -2])
