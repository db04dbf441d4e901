"""Puzzle 34: sums of the blocks of a thread block cluster, each for itself and all together."""

from layout import TileTensor
from layout.tile_layout import row_major
from layout.tile_tensor import stack_allocation
from max.gpu import block_dim, block_idx, thread_idx
from max.gpu.memory import AddressSpace
from max.gpu.primitives.cluster import (
    block_rank_in_cluster,
    cluster_arrive,
    cluster_sync,
    cluster_wait,
    elect_one_sync,
)
from max.gpu.primitives.warp import WARP_SIZE
from max.gpu.sync import barrier

comptime SIZE = 1024
"""The elements of the vector."""
comptime TPB = 256
"""The threads of a block, a power of two."""
comptime CLUSTER_SIZE = 4
"""The blocks of a cluster."""
comptime dtype = DType.float32
"""The element type of the vector and of its sums."""
comptime in_layout = row_major[SIZE]()
"""Where the elements of the vector lie."""
comptime out_layout = row_major[1]()
"""Where the sum lies."""
comptime cluster_layout = row_major[CLUSTER_SIZE]()
"""Where the partial sum of each block lies."""
comptime InLayout = type_of(in_layout)
"""The type of `in_layout`."""
comptime OutLayout = type_of(out_layout)
"""The type of `out_layout`."""
comptime ClusterLayout = type_of(cluster_layout)
"""The type of `cluster_layout`."""


def cluster_coordination_basics[
    tpb: Int
](
    output: TileTensor[mut=True, dtype, ClusterLayout, MutAnyOrigin],
    input: TileTensor[mut=False, dtype, InLayout, MutAnyOrigin],
    size_dev: Int32,
):
    """Writes the sum of each block's part of `input`, times one more than the block's rank.

    Parameters:
        tpb: The threads of a block.

    Args:
        output: The sum of each block; of one cluster, shape (CLUSTER_SIZE,).
        input: The vector, shape (SIZE,).
        size_dev: The number of elements of `input`.

    Constraints:
        Clusters of `CLUSTER_SIZE` blocks of `tpb` threads, of which the
        documents have one. Clusters need an NVIDIA GPU of compute capability
        9.0 or later.
    """
    var size = Int(size_dev)
    var global_i = block_dim.x * block_idx.x + thread_idx.x
    var local_i = thread_idx.x
    var my_block_rank = Int(block_rank_in_cluster())
    var block_id = block_idx.x

    # FILL ME IN: about 20 lines
    pass
    # END OF FILL ME IN


def cluster_collective_operations[
    tpb: Int
](
    output: TileTensor[mut=True, dtype, OutLayout, MutAnyOrigin],
    input: TileTensor[mut=False, dtype, InLayout, MutAnyOrigin],
    temp_storage: TileTensor[mut=True, dtype, ClusterLayout, MutAnyOrigin],
    size_dev: Int32,
):
    """Writes the sum of `input` to `output[0]`.

    Parameters:
        tpb: The threads of a block.

    Args:
        output: The sum, shape (1,).
        input: The vector, shape (SIZE,).
        temp_storage: The partial sum of each block, shape (CLUSTER_SIZE,).
        size_dev: The number of elements of `input`.

    Constraints:
        One cluster of `CLUSTER_SIZE` blocks of `tpb` threads. Clusters need an
        NVIDIA GPU of compute capability 9.0 or later.
    """
    var size = Int(size_dev)
    var global_i = block_dim.x * block_idx.x + thread_idx.x
    var local_i = thread_idx.x
    var my_block_rank = Int(block_rank_in_cluster())
    var block_id = block_idx.x
    var shared_mem = stack_allocation[
        dtype=dtype, address_space=AddressSpace.SHARED
    ](row_major[tpb]())

    # FILL ME IN: about 30 lines
    pass
    # END OF FILL ME IN


def advanced_cluster_patterns[
    tpb: Int
](
    output: TileTensor[mut=True, dtype, ClusterLayout, MutAnyOrigin],
    input: TileTensor[mut=False, dtype, InLayout, MutAnyOrigin],
    size_dev: Int32,
):
    """Writes the sum of each block's part of `input`, times one more than the block's rank, warp by warp.

    Parameters:
        tpb: The threads of a block.

    Args:
        output: The sum of each block; of one cluster, shape (CLUSTER_SIZE,).
        input: The vector, shape (SIZE,).
        size_dev: The number of elements of `input`.

    Constraints:
        Clusters of `CLUSTER_SIZE` blocks of `tpb` threads, of which the
        documents have one. Clusters need an NVIDIA GPU of compute capability
        9.0 or later.
    """
    var size = Int(size_dev)
    var global_i = block_dim.x * block_idx.x + thread_idx.x
    var local_i = thread_idx.x
    var my_block_rank = Int(block_rank_in_cluster())
    var block_id = block_idx.x

    # FILL ME IN: about 30 lines
    pass
    # END OF FILL ME IN
