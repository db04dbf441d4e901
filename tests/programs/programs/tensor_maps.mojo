"""Copies by tensor maps: a box over the edges of its tensor, a swizzled one, one for two blocks at once; and stores.
"""

from layout import Coord, TileTensor
from layout.tile_layout import row_major
from layout.tile_tensor import stack_allocation
from layout.tma_async import SharedMemBarrier, TMATensorTile, create_tma_tile
from std.memory import unsafe_stack_allocation
from max.gpu import thread_idx
from max.gpu.host import DeviceBuffer, DeviceContext, Dim
from max.gpu.host.nvidia.tma import TensorMapSwizzle
from max.gpu.memory import AddressSpace, fence_async_view_proxy
from max.gpu.memory import fence_mbarrier_init
from max.gpu.primitives.cluster import block_rank_in_cluster, cluster_sync
from max.gpu.sync import barrier

comptime Floats = Pointer[Float32, MutAnyOrigin]
comptime SHARED = AddressSpace.SHARED
comptime ROWS = 12
comptime COLUMNS = 40


@__llvm_arg_metadata(map, `nvvm.grid_constant`)
def load[
    box: Coord[...], described: Coord[...], at: Int
](output: Floats, map: TMATensorTile[DType.float32, box, described],):
    """Eight rows of 32, from a place on, as shared memory has them."""
    var t = Int(thread_idx.x)
    var tile = stack_allocation[
        dtype=DType.float32, address_space=SHARED, alignment=1024
    ](row_major[8, 32]())
    var bar = unsafe_stack_allocation[
        1, SharedMemBarrier, address_space=SHARED, alignment=8
    ]()
    if t == 0:
        map.prefetch_descriptor()
        bar[unsafe_offset=0].init()
        bar[unsafe_offset=0].expect_bytes(8 * 32 * 4)
        map.async_copy(tile, bar[unsafe_offset=0], (at, 6))
    barrier()
    bar[unsafe_offset=0].wait()
    for row in range(8):
        output[unsafe_offset=32 * row + t] = tile.ptr[
            unsafe_offset=32 * row + t
        ]


@__llvm_arg_metadata(map, `nvvm.grid_constant`)
def share[
    box: Coord[...], described: Coord[...]
](output: Floats, map: TMATensorTile[DType.float32, box, described],):
    """Each of two blocks loads four rows of eight, for both."""
    var t = Int(thread_idx.x)
    var rank_here = Int(block_rank_in_cluster())
    var tile = stack_allocation[
        dtype=DType.float32, address_space=SHARED, alignment=128
    ](row_major[8, 32]())
    var bar = unsafe_stack_allocation[
        1, SharedMemBarrier, address_space=SHARED, alignment=8
    ]()
    if t == 0:
        bar[unsafe_offset=0].init()
        bar[unsafe_offset=0].expect_bytes(8 * 32 * 4)
    fence_mbarrier_init()
    cluster_sync()
    if t == 0:
        map.async_multicast_load(
            tile.tile[4, 32](rank_here, 0),
            bar[unsafe_offset=0],
            (8, 4 * rank_here),
            UInt16(3),
        )
    bar[unsafe_offset=0].wait()
    for row in range(8):
        output[unsafe_offset=256 * rank_here + 32 * row + t] = tile.ptr[
            unsafe_offset=32 * row + t
        ]
    cluster_sync()


@__llvm_arg_metadata(map, `nvvm.grid_constant`)
def store[
    box: Coord[...], described: Coord[...]
](map: TMATensorTile[DType.float32, box, described]):
    """Eight rows of 32, of which the tensor has six and 28."""
    var t = Int(thread_idx.x)
    var tile = stack_allocation[
        dtype=DType.float32, address_space=SHARED, alignment=128
    ](row_major[8, 32]())
    for row in range(8):
        tile.ptr[unsafe_offset=32 * row + t] = -Float32(32 * row + t)
    fence_async_view_proxy()
    barrier()
    if t == 0:
        map.async_store(tile, (12, 6))
        map.commit_group()
        map.wait_group[0]()


def main() raises:
    with DeviceContext() as ctx:
        var buffer = ctx.enqueue_create_buffer[DType.float32](ROWS * COLUMNS)
        with buffer.map_to_host() as host:
            for i in range(ROWS * COLUMNS):
                host[i] = Float32(i + 1)
        var output = ctx.enqueue_create_buffer[DType.float32](512)
        output.enqueue_fill(0)
        var tensor = TileTensor(buffer, row_major[ROWS, COLUMNS]())

        @__parameter
        def show(
            name: StaticString, shown: DeviceBuffer[DType.float32], count: Int
        ) raises:
            """Each element times its place, from 1 on, added up."""
            var total = 0
            with shown.map_to_host() as host:
                for i in range(count):
                    total += (i + 1) * Int(host[i])
            print(name, total)

        var plain = create_tma_tile[8, 32](ctx, tensor)
        comptime Plain = type_of(plain)
        ctx.enqueue_function[load[Plain.tile_shape, Plain.desc_shape, 20]](
            output, plain, grid_dim=1, block_dim=32
        )
        show("edge", output, 256)

        var mixed = create_tma_tile[
            8, 32, swizzle_mode=TensorMapSwizzle.SWIZZLE_128B
        ](ctx, tensor)
        comptime Mixed = type_of(mixed)
        ctx.enqueue_function[load[Mixed.tile_shape, Mixed.desc_shape, 4]](
            output, mixed, grid_dim=1, block_dim=32
        )
        show("swizzled", output, 256)

        var part = create_tma_tile[4, 32](ctx, tensor)
        comptime Part = type_of(part)
        ctx.enqueue_function[share[Part.tile_shape, Part.desc_shape]](
            output, part, grid_dim=2, block_dim=32, cluster_dim=Dim(2)
        )
        show("shared", output, 512)

        ctx.enqueue_function[store[Plain.tile_shape, Plain.desc_shape]](
            plain, grid_dim=1, block_dim=32
        )
        show("stored", buffer, ROWS * COLUMNS)


# targets: nvidia
# > edge 4475620
# > swizzled 7401504
# > shared 25087744
# > stored 7223036
