"""A kernel reads a buffer of 0 elements, for which Mojo's library passes no address; its twin compares first."""

from max.gpu import global_idx
from max.gpu.host import DeviceContext


def add_10(
    to: Pointer[Float32, MutAnyOrigin], values: Pointer[Float32, MutAnyOrigin]
):
    var i = Int(global_idx.x)
    to[unsafe_offset=i] = values[unsafe_offset=i] + 10  # finding: error out-of-bounds.empty


def add_10_guarded(
    to: Pointer[Float32, MutAnyOrigin],
    values: Pointer[Float32, MutAnyOrigin],
    size: Int32,
):
    var i = Int(global_idx.x)
    to[unsafe_offset=i] = 10
    if i < Int(size):
        to[unsafe_offset=i] += values[unsafe_offset=i]


def main() raises:
    with DeviceContext() as ctx:
        var to = ctx.enqueue_create_buffer[DType.float32](4)
        var values = ctx.enqueue_create_buffer[DType.float32](0)
        ctx.enqueue_function[add_10](to, values, grid_dim=1, block_dim=4)
        ctx.enqueue_function[add_10_guarded](
            to, values, Int32(len(values)), grid_dim=1, block_dim=4
        )
        with to.map_to_host() as host:
            print(host[0], host[3])


# natively: it reads through no address
# > 10.0 10.0
