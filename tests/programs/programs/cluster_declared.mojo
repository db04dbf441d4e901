"""A kernel that declares its own cluster takes it, named at the launch or not."""

from max.gpu import block_idx, thread_idx
from max.gpu.host import DeviceContext, Dim
from max.gpu.primitives.cluster import block_rank_in_cluster
from std.utils.static_tuple import StaticTuple


@__llvm_metadata(`nvvm.cluster_dim`=StaticTuple[Int32, 3](2, 1, 1))
def ranks(to: Pointer[Int32, MutAnyOrigin]):
    if thread_idx.x == 0:
        to[unsafe_offset=Int(block_idx.x)] = Int32(block_rank_in_cluster())


def main() raises:
    with DeviceContext() as ctx:
        var result = ctx.enqueue_create_buffer[DType.int32](4)
        ctx.enqueue_function[ranks](result, grid_dim=4, block_dim=32)
        print(result)
        ctx.enqueue_function[ranks](
            result, grid_dim=4, block_dim=32, cluster_dim=Dim(2)
        )
        print(result)


# targets: nvidia
# > DeviceBuffer([0, 1, 0, 1])
# > DeviceBuffer([0, 1, 0, 1])
