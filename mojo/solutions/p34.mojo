"""Puzzle 34: one sum over all the blocks of a thread block cluster."""

from layout import TileTensor
from layout.tile_layout import TensorLayout, row_major
from layout.tile_tensor import stack_allocation
from max.gpu import block_dim, block_idx, thread_idx
from max.gpu.memory import AddressSpace
from max.gpu.primitives.cluster import (
    block_rank_in_cluster,
    cluster_sync,
    elect_one_sync,
)
from max.gpu.primitives.warp import WARP_SIZE
from max.gpu.sync import barrier

comptime DTYPE = DType.float32
"""The element type of the vector and of its sums."""
comptime THREADS_PER_BLOCK = 256
"""The threads of a block, a power of two."""
comptime CLUSTER_SIZE = 4
"""The blocks of a cluster."""


def cluster_collective_operations[
    OutLayout: TensorLayout, InLayout: TensorLayout, TempLayout: TensorLayout
](
    output: TileTensor[mut=True, DTYPE, OutLayout, MutAnyOrigin],
    input: TileTensor[mut=False, DTYPE, InLayout, ImmutAnyOrigin],
    temp_storage: TileTensor[mut=True, DTYPE, TempLayout, MutAnyOrigin],
    size_dev: Int32,
):
    """Writes the sum of `input` to `output[0]`.

    Parameters:
        OutLayout: The layout of `output`.
        InLayout: The layout of `input`.
        TempLayout: The layout of `temp_storage`.

    Args:
        output: The sum, shape (1,).
        input: The vector, shape (size,).
        temp_storage: The partial sum of each block, shape (CLUSTER_SIZE,).
        size_dev: The number of elements of `input`.

    Constraints:
        One cluster of `CLUSTER_SIZE` blocks of `THREADS_PER_BLOCK` threads.
        Clusters need an NVIDIA GPU of compute capability 9.0 or later.
    """
    comptime assert output.flat_rank == 1 and input.flat_rank == 1
    comptime assert temp_storage.flat_rank == 1
    var size = Int(size_dev)
    var global_i = block_dim.x * block_idx.x + thread_idx.x
    var local_i = thread_idx.x
    var rank = Int(block_rank_in_cluster())
    var partial = stack_allocation[
        dtype=DTYPE, address_space=AddressSpace.SHARED
    ](row_major[THREADS_PER_BLOCK]())

    # FILL ME IN: about 30 lines
    # The tree below reads every slot, so the ones past the end must be zero.
    if global_i < size:
        partial[local_i] = input[global_i]
    else:
        partial[local_i] = 0

    barrier()

    # Lanes at or past the stride only read, so no slot is read and written
    # in the same step.
    var stride = THREADS_PER_BLOCK // 2
    while stride > 0:
        if local_i < stride:
            partial[local_i] += partial[local_i + stride]

        barrier()

        stride //= 2

    if local_i == 0:
        temp_storage[rank] = partial[0]

    # Releases this block's partial sum and acquires those of its peers.
    cluster_sync()

    # The election picks one lane in each warp: naming the warp as well leaves
    # one writer in the whole cluster.
    if rank == 0 and local_i < WARP_SIZE:
        if elect_one_sync():
            var total = Scalar[DTYPE](0)
            for peer in range(CLUSTER_SIZE):
                total += temp_storage[peer]
            output[0] = total
    # END OF FILL ME IN
