"""Tensor copies that reduce: two blocks combine a box each with a tensor, by every operation that Mojo has."""

from layout import Coord, TileTensor
from layout.tile_layout import row_major
from layout.tile_tensor import stack_allocation
from layout.tma_async import TMATensorTile, create_tma_tile
from std.utils.index import Index
from max.gpu import block_idx, thread_idx
from max.gpu.host import DeviceBuffer, DeviceContext
from max.gpu.memory import (
    AddressSpace,
    ReduceOp,
    cp_async_bulk_tensor_reduce_global_shared_cta,
    fence_async_view_proxy,
)
from max.gpu.sync import (
    barrier,
    cp_async_bulk_commit_group,
    cp_async_bulk_wait_group,
)

comptime SHARED = AddressSpace.SHARED
comptime ROWS = 12
comptime COLUMNS = 40


@__llvm_arg_metadata(map, `nvvm.grid_constant`)
def reduce[
    dtype: DType, op: ReduceOp, box: Coord[...], described: Coord[...]
](map: TMATensorTile[dtype, box, described]):
    """Each of two blocks reduces eight rows of 32, of which the tensor has six and 24.
    """
    var t = Int(thread_idx.x)
    var tile = stack_allocation[
        dtype=dtype, address_space=SHARED, alignment=128
    ](row_major[8, 32]())
    for row in range(8):
        tile.ptr[unsafe_offset=32 * row + t] = Scalar[dtype](
            7 * row + t + 100 * Int(block_idx.x)
        )
    fence_async_view_proxy()
    barrier()
    if t == 0:
        cp_async_bulk_tensor_reduce_global_shared_cta[reduction_kind=op](
            tile.ptr,
            Pointer(to=map.descriptor).unsafe_bitcast[NoneType](),
            Index(16, 6),
        )
        cp_async_bulk_commit_group()
        cp_async_bulk_wait_group[0]()


def main() raises:
    with DeviceContext() as ctx:

        @__parameter
        def box[dtype: DType, op: ReduceOp](name: StaticString) raises:
            """Each element times its place, from 1 on, added up."""
            var buffer = ctx.enqueue_create_buffer[dtype](ROWS * COLUMNS)
            with buffer.map_to_host() as host:
                for i in range(ROWS * COLUMNS):
                    host[i] = Scalar[dtype](i % 113)
            var tensor = TileTensor(buffer, row_major[ROWS, COLUMNS]())
            var map = create_tma_tile[8, 32](ctx, tensor)
            comptime Map = type_of(map)
            ctx.enqueue_function[
                reduce[dtype, op, Map.tile_shape, Map.desc_shape]
            ](map, grid_dim=2, block_dim=32)
            var total = 0
            with buffer.map_to_host() as host:
                for i in range(ROWS * COLUMNS):
                    total += (i + 1) * Int(host[i])
            print(name, dtype, total)

        box[DType.float32, ReduceOp.ADD]("add")
        box[DType.int32, ReduceOp.ADD]("add")
        box[DType.int32, ReduceOp.MIN]("min")
        box[DType.int32, ReduceOp.MAX]("max")
        box[DType.int32, ReduceOp.AND]("and")
        box[DType.int32, ReduceOp.OR]("or")
        box[DType.int32, ReduceOp.XOR]("xor")
        box[DType.float16, ReduceOp.ADD]("add")
        box[DType.bfloat16, ReduceOp.MAX]("max")


# targets: nvidia
# > add float32 15025372
# > add int32 15025372
# > min int32 4982044
# > max int32 10761958
# > and int32 4092118
# > or int32 12944968
# > xor int32 11464396
# > add float16 15025372
# > max bfloat16 10761958
