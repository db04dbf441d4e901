"""Results are read that no kernel wrote, in all of a copy and in a part of one."""

from max.gpu import global_idx
from max.gpu.host import DeviceContext


def first_half(values: Pointer[Int32, MutAnyOrigin]):
    values[unsafe_offset=Int(global_idx.x)] = 1


def main() raises:
    with DeviceContext() as ctx:
        var values = ctx.enqueue_create_buffer[DType.int32](4)
        ctx.enqueue_function[first_half](values, grid_dim=1, block_dim=2)
        with values.map_to_host() as host:  # finding: error uninitialised-copy
            print(host[0] + host[1], host[1] == host[2])
        var nothing = ctx.enqueue_create_buffer[DType.int32](4)
        var host = ctx.enqueue_create_host_buffer[DType.int32](4)
        ctx.enqueue_copy(host, nothing)  # finding: error uninitialised-copy
        ctx.synchronize()
        print("done", host[0] == host[3])


# natively: it reads what nobody wrote
# > 2 False
# > done True
