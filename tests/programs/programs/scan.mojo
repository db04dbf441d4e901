"""An inclusive prefix sum over two blocks, in two kernels."""

from layout import TileTensor
from layout.tile_layout import row_major
from layout.tile_tensor import stack_allocation
from max.gpu import block_idx, global_idx, thread_idx
from max.gpu.host import DeviceContext
from max.gpu.memory import AddressSpace
from max.gpu.sync import barrier

comptime TPB = 8
comptime SIZE = 15
comptime dtype = DType.int32
comptime layout = row_major[SIZE]()
comptime LayoutType = type_of(layout)


def scan_block(
    output: TileTensor[mut=True, dtype, LayoutType, MutAnyOrigin],
    a: TileTensor[mut=False, dtype, LayoutType, ImmutAnyOrigin],
):
    var i = global_idx.x
    var local_i = thread_idx.x
    var cache = stack_allocation[
        dtype=dtype, address_space=AddressSpace.SHARED
    ](row_major[TPB]())
    cache[local_i] = a[i] if i < SIZE else 0
    barrier()
    var offset = 1
    while offset < TPB:
        var addend = Scalar[dtype](0)
        if local_i >= offset:
            addend = cache[local_i - offset]
        barrier()
        cache[local_i] += addend
        barrier()
        offset *= 2
    if i < SIZE:
        output[i] = cache[local_i]


def add_before(
    output: TileTensor[mut=True, dtype, LayoutType, MutAnyOrigin]
):
    var i = global_idx.x
    if block_idx.x > 0 and i < SIZE:
        output[i] += output[TPB - 1]


def main() raises:
    with DeviceContext() as ctx:
        var output = ctx.enqueue_create_buffer[dtype](SIZE)
        var a = ctx.enqueue_create_buffer[dtype](SIZE)
        with a.map_to_host() as host:
            for i in range(SIZE):
                host[i] = Int32(i)
        ctx.enqueue_function[scan_block](
            TileTensor(output, layout),
            TileTensor[mut=False, dtype, LayoutType](a, layout),
            grid_dim=2,
            block_dim=TPB,
        )
        ctx.enqueue_function[add_before](
            TileTensor(output, layout), grid_dim=2, block_dim=TPB
        )
        print(output)


# > DeviceBuffer([0, 1, 3, 6, 10, 15, 21, 28, 36, 45, 55, 66, 78, 91, 105])
