"""A tile arrives while the threads do something else."""

from layout import TileTensor
from layout.tile_io import copy_dram_to_sram_async
from layout.tile_layout import row_major
from layout.tile_tensor import stack_allocation
from max.gpu import thread_idx
from max.gpu.host import DeviceContext
from max.gpu.memory import AddressSpace, async_copy_wait_all
from max.gpu.sync import barrier

comptime TPB = 64
comptime layout = row_major[TPB]()
comptime LayoutType = type_of(layout)


def turn(
    output: TileTensor[mut=True, DType.float32, LayoutType, MutAnyOrigin],
    input: TileTensor[mut=False, DType.float32, LayoutType, MutAnyOrigin],
):
    var i = Int(thread_idx.x)
    var shared = stack_allocation[
        dtype=DType.float32, address_space=AddressSpace.SHARED
    ](row_major[TPB]())
    copy_dram_to_sram_async[thread_layout=row_major[TPB]()](shared, input)
    var place = TPB - 1 - i
    async_copy_wait_all()
    barrier()
    output[i] = shared[place]


def main() raises:
    with DeviceContext() as ctx:
        var input = ctx.enqueue_create_buffer[DType.float32](TPB)
        var output = ctx.enqueue_create_buffer[DType.float32](TPB)
        with input.map_to_host() as values:
            for i in range(TPB):
                values[i] = Float32(i)
        ctx.enqueue_function[turn](
            TileTensor(output, layout),
            TileTensor[mut=False, DType.float32, LayoutType](input, layout),
            grid_dim=1,
            block_dim=TPB,
        )
        with output.map_to_host() as values:
            print(values[0], values[1], values[63])


# targets: nvidia
# > 63.0 62.0 0.0
