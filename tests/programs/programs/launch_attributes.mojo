"""Launch attributes: a cluster, a cooperative launch, and one that only says when a grid may begin."""

from max.gpu import block_idx, thread_idx
from max.gpu.host import DeviceContext, Dim, LaunchAttribute
from max.gpu.host.launch_attribute import (
    LaunchAttributeID,
    LaunchAttributeValue,
)
from max.gpu.primitives.cluster import block_rank_in_cluster


def add(values: Pointer[Int32, MutAnyOrigin], summand: Int32):
    values[unsafe_offset=Int(thread_idx.x)] += summand


def ranks(to: Pointer[Int32, MutAnyOrigin]):
    if thread_idx.x == 0:
        to[unsafe_offset=Int(block_idx.x)] = Int32(block_rank_in_cluster())


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
        ctx.enqueue_function[ranks](
            values,
            grid_dim=4,
            block_dim=32,
            attributes=[
                LaunchAttribute.from_cluster_dim(Dim(4, 1, 1)),
                LaunchAttribute(
                    LaunchAttributeID.COOPERATIVE, LaunchAttributeValue(True)
                ),
            ],
        )
        print(values)


# targets: nvidia
# > DeviceBuffer([4, 4, 4, 4])
# > DeviceBuffer([0, 1, 2, 3])
