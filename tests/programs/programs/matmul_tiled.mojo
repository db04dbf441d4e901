"""A product of matrices by tiles in shared memory, against the host's own."""

from layout import TileTensor
from layout.tile_layout import row_major
from layout.tile_tensor import stack_allocation
from max.gpu import block_idx, thread_idx
from max.gpu.host import DeviceContext
from max.gpu.memory import AddressSpace
from max.gpu.sync import barrier
from std.testing import assert_equal

comptime SIZE = 12
comptime TILE = 4
comptime dtype = DType.float32
comptime layout = row_major[SIZE, SIZE]()
comptime LayoutType = type_of(layout)


def matmul(
    output: TileTensor[mut=True, dtype, LayoutType, MutAnyOrigin],
    a: TileTensor[mut=False, dtype, LayoutType, ImmutAnyOrigin],
    b: TileTensor[mut=False, dtype, LayoutType, ImmutAnyOrigin],
):
    var local_row = thread_idx.y
    var local_col = thread_idx.x
    var row = block_idx.y * TILE + local_row
    var col = block_idx.x * TILE + local_col
    var a_tile = stack_allocation[
        dtype=dtype, address_space=AddressSpace.SHARED
    ](row_major[TILE, TILE]())
    var b_tile = stack_allocation[
        dtype=dtype, address_space=AddressSpace.SHARED
    ](row_major[TILE, TILE]())
    var total = Scalar[dtype](0)
    for tile in range(SIZE // TILE):
        a_tile[local_row, local_col] = a[row, tile * TILE + local_col]
        b_tile[local_row, local_col] = b[tile * TILE + local_row, col]
        barrier()
        for k in range(TILE):
            total += a_tile[local_row, k] * b_tile[k, local_col]
        barrier()
    output[row, col] = total


def main() raises:
    with DeviceContext() as ctx:
        var output = ctx.enqueue_create_buffer[dtype](SIZE * SIZE)
        output.enqueue_fill(0)
        var a = ctx.enqueue_create_buffer[dtype](SIZE * SIZE)
        var b = ctx.enqueue_create_buffer[dtype](SIZE * SIZE)
        var expected = ctx.enqueue_create_host_buffer[dtype](SIZE * SIZE)
        expected.enqueue_fill(0)
        ctx.synchronize()
        with a.map_to_host() as a_host, b.map_to_host() as b_host:
            for i in range(SIZE * SIZE):
                a_host[i] = Scalar[dtype](i % 7)
                b_host[i] = Scalar[dtype](i % 5 - 2)
            for row in range(SIZE):
                for col in range(SIZE):
                    for k in range(SIZE):
                        expected[row * SIZE + col] += (
                            a_host[row * SIZE + k] * b_host[k * SIZE + col]
                        )
        ctx.enqueue_function[matmul](
            TileTensor(output, layout),
            TileTensor[mut=False, dtype, LayoutType](a, layout),
            TileTensor[mut=False, dtype, LayoutType](b, layout),
            grid_dim=(SIZE // TILE, SIZE // TILE),
            block_dim=(TILE, TILE),
        )
        with output.map_to_host() as host:
            for i in range(SIZE * SIZE):
                assert_equal(host[i], expected[i])
            print(host[0], host[SIZE + 1], host[SIZE * SIZE - 1])
        print("equal")


# > -10.0 -3.0 -10.0
# > equal
