"""Instantiates the cluster-wide sum at full size, for `mojo build --emit llvm|asm`."""

from cluster_sum import DTYPE, cluster_sum
from layout import TileTensor
from layout.tile_layout import row_major
from max.gpu.host import DeviceContext
from std.sys import get_defined_int

comptime SIZE = get_defined_int["p34_scale_size"]()
comptime CLUSTERS = get_defined_int["p34_scale_clusters"]()
comptime CLUSTER_SIZE = get_defined_int["p34_scale_cluster_x"]()
comptime THREADS = get_defined_int["p34_scale_block_x"]()


def main() raises:
    """Enqueues the kernel. Compiled for its device code, never run."""
    with DeviceContext() as ctx:
        var output = ctx.enqueue_create_buffer[DTYPE](1)
        var input = ctx.enqueue_create_buffer[DTYPE](1)
        var temp_storage = ctx.enqueue_create_buffer[DTYPE](1)
        comptime out_layout = row_major[CLUSTERS]()
        comptime in_layout = row_major[SIZE]()
        comptime temp_layout = row_major[CLUSTERS * CLUSTER_SIZE]()
        comptime kernel = cluster_sum[
            type_of(out_layout),
            type_of(in_layout),
            type_of(temp_layout),
            SIZE,
            CLUSTERS,
            CLUSTER_SIZE,
            THREADS,
        ]
        ctx.enqueue_function[kernel](
            TileTensor[mut=True](output, out_layout),
            TileTensor[mut=False](input, in_layout),
            TileTensor[mut=True](temp_storage, temp_layout),
            grid_dim=1,
            block_dim=1,
        )
