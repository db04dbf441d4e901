"""Sums by tiles, in which one block of sixteen leaves out a barrier, and another one writes beyond the end."""

from max.gpu import block_idx, thread_idx
from max.gpu.host import DeviceContext
from max.gpu.memory import AddressSpace
from max.gpu.sync import barrier
from layout.tile_layout import row_major
from layout.tile_tensor import stack_allocation

comptime BLOCKS = 16
comptime TILE = 128
comptime SIZE = BLOCKS * TILE


def turn(
    output: Pointer[Int32, MutAnyOrigin],
    values: Pointer[Int32, ImmutAnyOrigin],
    wrong: Int32,
):
    var tile = stack_allocation[
        dtype=DType.int32, address_space=AddressSpace.SHARED
    ](row_major[TILE]())
    var first = Int(block_idx.x) * TILE
    var i = Int(thread_idx.x)
    var value = values[unsafe_offset=first + i]
    tile[i] = value  # finding: error race.shared.write-read
    if Int32(block_idx.x) != wrong:
        barrier()
    output[unsafe_offset=first + i] = tile[TILE - 1 - i]


def double(values: Pointer[Int32, MutAnyOrigin], wrong: Int32):
    var i = Int(block_idx.x) * TILE + Int(thread_idx.x)
    if Int32(block_idx.x) == wrong and Int(thread_idx.x) == TILE - 1:
        i += SIZE
    values[unsafe_offset=i] += 1  # finding: error out-of-bounds.after


def main() raises:
    with DeviceContext() as ctx:
        var values = ctx.enqueue_create_buffer[DType.int32](SIZE)
        var output = ctx.enqueue_create_buffer[DType.int32](SIZE)
        with values.map_to_host() as host:
            for i in range(SIZE):
                host[i] = Int32(i)
        for wrong in range(-1, 6, 6):
            ctx.enqueue_function[turn](
                output,
                values,
                Int32(wrong),
                grid_dim=BLOCKS,
                block_dim=TILE,
            )
            ctx.enqueue_function[double](
                values, Int32(wrong), grid_dim=BLOCKS, block_dim=TILE
            )
        with output.map_to_host() as host:
            print(host[0], host[SIZE - 1])


# natively: a kernel of it writes outside of its buffer
# > 128 1921
