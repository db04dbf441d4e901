"""Tensor copies in im2col mode: what a filter of 3 x 3 sees at one of its places, for 32 pixels."""

from layout import Coord, Idx, TileTensor
from layout.tile_layout import row_major
from layout.tile_tensor import stack_allocation
from layout.tma_async import (
    SharedMemBarrier,
    TMATensorTileIm2col,
    create_tensor_tile_im2col,
)
from std.memory import unsafe_stack_allocation
from max.gpu import thread_idx
from max.gpu.host import DeviceContext
from max.gpu.memory import AddressSpace
from max.gpu.sync import barrier

comptime Floats = Pointer[Float32, MutAnyOrigin]
comptime SHARED = AddressSpace.SHARED
comptime HEIGHT = 5
comptime WIDTH = 6
comptime CHANNELS = 8


@__llvm_arg_metadata(map, `nvvm.grid_constant`)
def load[
    tiled: Coord[...], described: Coord[...]
](
    output: Floats,
    map: TMATensorTileIm2col[DType.float32, tiled, described],
    k: Int32,
    m: Int32,
):
    var t = Int(thread_idx.x)
    var tile = stack_allocation[
        dtype=DType.float32, address_space=SHARED, alignment=128
    ](row_major[32, 8]())
    var bar = unsafe_stack_allocation[
        1, SharedMemBarrier, address_space=SHARED, alignment=8
    ]()
    if t == 0:
        bar[unsafe_offset=0].init()
        bar[unsafe_offset=0].expect_bytes(32 * 8 * 4)
        map.async_copy(tile, bar[unsafe_offset=0], (Int(k), Int(m)))
    barrier()
    bar[unsafe_offset=0].wait()
    for i in range(8):
        output[unsafe_offset=32 * i + t] = tile.ptr[unsafe_offset=32 * i + t]


def main() raises:
    with DeviceContext() as ctx:
        comptime count = 2 * HEIGHT * WIDTH * CHANNELS
        var buffer = ctx.enqueue_create_buffer[DType.float32](count)
        with buffer.map_to_host() as host:
            for i in range(count):
                host[i] = Float32(i + 1)
        var tensor = TileTensor(buffer, row_major[2, HEIGHT, WIDTH, CHANNELS]())
        var map = create_tensor_tile_im2col[
            DType.float32, tile_shape=Coord(Idx[32], Idx[8])
        ](ctx, tensor, -1, -1, -1, -1, HEIGHT, WIDTH, 3, 3)
        comptime Map = type_of(map)

        @__parameter
        def show(k: Int, m: Int) raises:
            """Each element times its place, from 1 on, added up."""
            var output = ctx.enqueue_create_buffer[DType.float32](256)
            ctx.enqueue_function[load[Map.tile_shape, Map.desc_shape]](
                output, map, Int32(k), Int32(m), grid_dim=1, block_dim=32
            )
            var total = 0
            with output.map_to_host() as host:
                for i in range(256):
                    total += (i + 1) * Int(host[i])
            print("column", k, m, total)

        show(0, 0)
        show(8 * 4, 0)
        show(8 * 5, 7)
        show(8 * 8, 24)
        show(8 * 2, 40)
        _ = buffer^


# targets: nvidia
# > column 0 0 2311120
# > column 32 0 4958592
# > column 40 7 5940876
# > column 64 24 8621840
# > column 16 40 4926048
