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
    var shared_data = stack_allocation[
        dtype=dtype, address_space=AddressSpace.SHARED
    ](row_major[tpb]())
    if global_i < size:
        shared_data[local_i] = input[global_i] * Scalar[dtype](
            my_block_rank + 1
        )
    else:
        shared_data[local_i] = 0

    barrier()

    # Arriving does not wait: the sum is made while other blocks still load.
    cluster_arrive()
    if local_i == 0:
        var total = Scalar[dtype](0)
        for i in range(tpb):
            total += shared_data[i]
        output[block_id] = total
    cluster_wait()
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
    # The tree below reads every slot, so the ones past the end must be zero.
    if global_i < size:
        shared_mem[local_i] = input[global_i]
    else:
        shared_mem[local_i] = 0

    barrier()

    # Lanes at or past the stride only read, so no slot is read and written
    # in the same step.
    var stride = tpb // 2
    while stride > 0:
        if local_i < stride:
            shared_mem[local_i] += shared_mem[local_i + stride]

        barrier()

        stride //= 2

    if local_i == 0:
        temp_storage[block_id] = shared_mem[0]

    # Releases this block's partial sum and acquires those of its peers.
    cluster_sync()

    # The election picks one lane in each warp: naming the warp as well leaves
    # one writer in the whole cluster.
    if my_block_rank == 0 and local_i < WARP_SIZE:
        if elect_one_sync():
            var total = Scalar[dtype](0)
            for peer in range(CLUSTER_SIZE):
                total += temp_storage[peer]
            output[0] = total
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
    var shared_data = stack_allocation[
        dtype=dtype, address_space=AddressSpace.SHARED
    ](row_major[tpb]())
    if global_i < size:
        shared_data[local_i] = input[global_i] * Scalar[dtype](
            my_block_rank + 1
        )
    else:
        shared_data[local_i] = 0

    barrier()

    # Of each warp one lane, whichever it is, leaves the warp's sum in the
    # warp's first slot.
    if elect_one_sync():
        var first = local_i // WARP_SIZE * WARP_SIZE
        var warp_total = Scalar[dtype](0)
        for i in range(WARP_SIZE):
            warp_total += shared_data[first + i]
        shared_data[first] = warp_total

    barrier()

    cluster_arrive()
    if local_i == 0:
        var total = Scalar[dtype](0)
        for first in range(0, tpb, WARP_SIZE):
            total += shared_data[first]
        output[block_id] = total
    cluster_wait()
    # END OF FILL ME IN
