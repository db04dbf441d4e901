"""Cluster-wide sum at full size: one partial sum for each cluster of blocks."""

from layout import Coord, TileTensor
from layout.tile_layout import row_major
from layout.tile_tensor import stack_allocation
from max.gpu import block_idx, thread_idx
from max.gpu.memory import AddressSpace
from max.gpu.primitives.cluster import (
    block_rank_in_cluster,
    cluster_sync,
    elect_one_sync,
)
from max.gpu.primitives.warp import WARP_SIZE
from max.gpu.sync import barrier

comptime dtype = DType.float32
"""The element type of the vector and of its sums."""
comptime LOAD_WIDTH = 4
"""The elements of a vector load: 16 bytes, the widest there is."""
comptime LOADS_IN_FLIGHT = 4
"""The vector loads that a thread issues before it adds the first."""


def cluster_sum[
    size: Int,
    clusters: Int,
    cluster_size: Int,
    threads: Int,
](
    output: TileTensor[
        mut=True, dtype, type_of(row_major[clusters]()), MutAnyOrigin
    ],
    input: TileTensor[
        mut=False, dtype, type_of(row_major[size]()), ImmutAnyOrigin
    ],
    temp_storage: TileTensor[
        mut=True,
        dtype,
        type_of(row_major[clusters * cluster_size]()),
        MutAnyOrigin,
    ],
):
    """Writes the sum of each cluster's share of `input` to `output`.

    The vector is dealt out to all the blocks in turn, `threads` vectors at a
    time.  A launch with one cluster writes the whole sum; one with many is
    followed by one that sums their partial sums.  The order of the additions
    depends on the parameters alone.

    Parameters:
        size: The number of elements of `input`.
        clusters: The clusters of the grid.
        cluster_size: The blocks of a cluster.
        threads: The threads of a block, a power of two.

    Args:
        output: The sum of each cluster's share, shape (clusters,).
        input: The vector, shape (size,), aligned to 16 bytes.
        temp_storage: The partial sum of each block, shape
            (clusters * cluster_size,).

    Constraints:
        A block has `threads` threads in x, the grid `clusters * cluster_size`
        blocks in x. Clusters need an NVIDIA GPU of compute capability 9.0 or
        later.
    """
    comptime assert threads & (threads - 1) == 0, "the tree halves the block"
    comptime all_threads = clusters * cluster_size * threads
    comptime vectors = size // LOAD_WIDTH
    var local_i = Int(thread_idx.x)
    var block = Int(block_idx.x)
    var global_i = block * threads + local_i
    var partial = stack_allocation[
        dtype=dtype, address_space=AddressSpace.SHARED
    ](row_major[threads]())

    var sums = SIMD[dtype, LOAD_WIDTH](0)
    var i = global_i
    while i + (LOADS_IN_FLIGHT - 1) * all_threads < vectors:
        comptime for load in range(LOADS_IN_FLIGHT):
            var first = (i + load * all_threads) * LOAD_WIDTH
            sums += input.load[width=LOAD_WIDTH, alignment=16](Coord(first))
        i += LOADS_IN_FLIGHT * all_threads
    while i < vectors:
        var first = i * LOAD_WIDTH
        sums += input.load[width=LOAD_WIDTH, alignment=16](Coord(first))
        i += all_threads

    var total = (sums[0] + sums[1]) + (sums[2] + sums[3])
    comptime if size % LOAD_WIDTH != 0:
        if global_i < size % LOAD_WIDTH:
            total += input[vectors * LOAD_WIDTH + global_i]
    partial[local_i] = total

    barrier()

    # Lanes at or past the stride only read, so no slot is read and written
    # in the same step.
    var stride = threads // 2
    while stride > 0:
        if local_i < stride:
            partial[local_i] += partial[local_i + stride]

        barrier()

        stride //= 2

    if local_i == 0:
        temp_storage[block] = partial[0]

    # Releases this block's partial sum and acquires those of its peers.
    cluster_sync()

    # The election picks one lane in each warp: naming the warp as well leaves
    # one writer in each cluster.
    if block_rank_in_cluster() == 0 and local_i < WARP_SIZE:
        if elect_one_sync():
            var cluster_total = Scalar[dtype](0)
            for peer in range(cluster_size):
                cluster_total += temp_storage[block + peer]
            output[block // cluster_size] = cluster_total
