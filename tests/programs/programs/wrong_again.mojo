"""A kernel that lacks a barrier, launched four times."""

from max.gpu import thread_idx
from max.gpu.host import DeviceContext
from max.gpu.memory import AddressSpace
from layout.tile_layout import row_major
from layout.tile_tensor import stack_allocation

comptime TILE = 64


def turn(values: Pointer[Int32, MutAnyOrigin]):
    var tile = stack_allocation[
        dtype=DType.int32, address_space=AddressSpace.SHARED
    ](row_major[TILE]())
    var i = Int(thread_idx.x)
    tile[i] = values[unsafe_offset=i]  # finding: error race.shared.write-read
    values[unsafe_offset=i] = tile[TILE - 1 - i]


def main() raises:
    with DeviceContext() as ctx:
        var values = ctx.enqueue_create_buffer[DType.int32](TILE)
        values.enqueue_fill(3)
        for _ in range(4):
            ctx.enqueue_function[turn](values, grid_dim=1, block_dim=TILE)
        with values.map_to_host() as host:
            print(host[0], host[TILE - 1])


# > 3 3
