"""Four blocks leave a number each, and one block adds them."""

from max.gpu import thread_idx
from max.gpu.host import DeviceContext, Dim
from max.gpu.primitives.cluster import block_rank_in_cluster, cluster_sync


def add(
    output: UnsafePointer[Int32, MutAnyOrigin],
    parts: UnsafePointer[Int32, MutAnyOrigin],
):
    var rank = Int(block_rank_in_cluster())
    if thread_idx.x == 0:
        parts[rank] = Int32(rank + 1)
    cluster_sync()
    if rank == 0 and thread_idx.x == 0:
        output[0] = parts[0] + parts[1] + parts[2] + parts[3]


def main() raises:
    with DeviceContext() as ctx:
        var output = ctx.enqueue_create_buffer[DType.int32](1)
        var parts = ctx.enqueue_create_buffer[DType.int32](4)
        ctx.enqueue_function[add](
            output,
            parts,
            grid_dim=4,
            block_dim=32,
            cluster_dim=Dim(4, 1, 1),
        )
        with output.map_to_host() as values:
            print(values[0])


# targets: nvidia
# > 10
