"""Elements of two bytes and of one, every second of which nobody wrote, are read on the host."""

from max.gpu import global_idx
from max.gpu.host import DeviceContext


def every_second(halves: Pointer[Float16, MutAnyOrigin]):
    halves[unsafe_offset=2 * Int(global_idx.x)] = 7


def main() raises:
    with DeviceContext() as ctx:
        var halves = ctx.enqueue_create_buffer[DType.float16](8)
        ctx.enqueue_function[every_second](halves, grid_dim=1, block_dim=4)
        with halves.map_to_host() as host:  # finding: error uninitialised-copy
            print(host[2])
            host[1] = 5
            print(host[1])
            if host[3] == 3:
                print("by chance")
        var octets = ctx.enqueue_create_buffer[DType.int8](6)
        with octets.map_to_host() as host:  # finding: error uninitialised-copy
            if host[5] == 3:
                print("by chance")


# Memory that is the host's own, as Apple's is, counts as written by words of four bytes.
# targets: nvidia amd
# natively: it reads what nobody wrote
# > 7.0
# > 5.0
