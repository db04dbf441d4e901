"""A programmatic launch: the next grid may begin early, and waits before it uses what the one before it wrote."""

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


def add(values: Pointer[Int32, MutAnyOrigin], summand: Int32):
    wait_on_dependent_grids()
    values[unsafe_offset=Int(thread_idx.x)] += summand
    launch_dependent_grids()


def main() raises:
    with DeviceContext() as ctx:
        var values = ctx.enqueue_create_buffer[DType.int32](4)
        values.enqueue_fill(1)
        for number in range(3):
            ctx.enqueue_function[add](
                values,
                Int32(number),
                grid_dim=1,
                block_dim=4,
                attributes=[
                    LaunchAttribute(
                        LaunchAttributeID.PROGRAMMATIC_STREAM_SERIALIZATION,
                        LaunchAttributeValue(True),
                    )
                ],
            )
        print(values)


# targets: nvidia
# > DeviceBuffer([4, 4, 4, 4])
