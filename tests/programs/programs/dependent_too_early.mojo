"""A programmatic launch that uses what the grid before it writes, and waits for that too late."""

from max.gpu import thread_idx
from max.gpu.host import DeviceContext, LaunchAttribute
from max.gpu.host.launch_attribute import (
    LaunchAttributeID,
    LaunchAttributeValue,
)
from max.gpu.primitives.grid_controls import (
    launch_dependent_grids,
    wait_on_dependent_grids,
)


def number(values: Pointer[Int32, MutAnyOrigin]):
    launch_dependent_grids()
    values[unsafe_offset=Int(thread_idx.x)] = Int32(thread_idx.x)


def add(
    output: Pointer[Int32, MutAnyOrigin], values: Pointer[Int32, MutAnyOrigin]
):
    var i = Int(thread_idx.x)
    var value = values[unsafe_offset=i]  # finding: error dependent-grid
    wait_on_dependent_grids()
    output[unsafe_offset=i] = value + values[unsafe_offset=i]


def main() raises:
    with DeviceContext() as ctx:
        var values = ctx.enqueue_create_buffer[DType.int32](4)
        var output = ctx.enqueue_create_buffer[DType.int32](4)
        ctx.enqueue_function[number](values, grid_dim=1, block_dim=4)
        ctx.enqueue_function[add](
            output,
            values,
            grid_dim=1,
            block_dim=4,
            attributes=[
                LaunchAttribute(
                    LaunchAttributeID.PROGRAMMATIC_STREAM_SERIALIZATION,
                    LaunchAttributeValue(True),
                )
            ],
        )
        print(output)


# targets: nvidia
# natively: it may read before the other grid wrote
# > DeviceBuffer([0, 2, 4, 6])
