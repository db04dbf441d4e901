"""A program that prints "passed" on some days: a barrier is missing in its kernel."""

from layout import TileTensor
from layout.tile_layout import row_major
from layout.tile_tensor import stack_allocation
from max.gpu import thread_idx
from max.gpu.host import DeviceContext
from max.gpu.memory import AddressSpace

comptime SIZE = 128
comptime dtype = DType.int32
comptime layout = row_major[SIZE]()
comptime LayoutType = type_of(layout)


def shift(output: TileTensor[mut=True, dtype, LayoutType, MutAnyOrigin]):
    var i = thread_idx.x
    var cache = stack_allocation[
        dtype=dtype, address_space=AddressSpace.SHARED
    ](row_major[SIZE]())
    cache[i] = Int32(i)  # finding: error race.shared.write-read
    output[i] = cache[(i + 1) % SIZE]


def main() raises:
    with DeviceContext() as ctx:
        var output = ctx.enqueue_create_buffer[dtype](SIZE)
        ctx.enqueue_function[shift](
            TileTensor(output, layout), grid_dim=1, block_dim=SIZE
        )
        with output.map_to_host() as host:
            print("passed" if host[0] == 1 else "failed")


# natively: its kernel races
# > passed
