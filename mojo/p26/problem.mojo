"""Puzzle 26: butterfly exchange between the lanes of a warp, and sums of the lanes before."""

from layout import TileTensor
from layout.tile_layout import row_major
from max.gpu import block_dim, block_idx, lane_id, thread_idx
from max.gpu.primitives.warp import WARP_SIZE, prefix_sum, shuffle_xor

comptime SIZE = WARP_SIZE
"""The elements of most kernels: one for each lane of a warp."""
comptime BLOCKS_PER_GRID = (1, 1)
"""Their blocks in x and y."""
comptime THREADS_PER_BLOCK = (WARP_SIZE, 1)
"""Their threads of a block in x and y."""
comptime dtype = DType.float32
"""The element type of every exchanged value."""
comptime layout = row_major[SIZE]()
"""Where their elements lie."""
comptime LayoutType = type_of(layout)
"""The type of `layout`."""
comptime SIZE_2 = 64
"""The elements of the kernel that takes two blocks."""
comptime BLOCKS_PER_GRID_2 = (2, 1)
"""Its blocks in x and y."""
comptime THREADS_PER_BLOCK_2 = (WARP_SIZE, 1)
"""Its threads of a block in x and y."""
comptime layout_2 = row_major[SIZE_2]()
"""Where its elements lie."""
comptime LayoutType_2 = type_of(layout_2)
"""The type of `layout_2`."""
comptime Layout2Type = LayoutType_2
"""Another name of the type of `layout_2`."""


def butterfly_pair_swap[
    size: Int
](
    output: TileTensor[mut=True, dtype, LayoutType, MutAnyOrigin],
    input: TileTensor[mut=False, dtype, LayoutType, ImmutAnyOrigin],
):
    """Swaps each pair of neighbours: `output[i] = input[i ^ 1]`.

    Parameters:
        size: The number of elements, a multiple of the warp's width.

    Args:
        output: The swapped vector, shape (size,).
        input: The vector, shape (size,).
    """
    var global_i = block_dim.x * block_idx.x + thread_idx.x

    if global_i < size:
        # FILL ME IN: 2 lines
        pass
        # END OF FILL ME IN


def butterfly_parallel_max[
    size: Int
](
    output: TileTensor[mut=True, dtype, LayoutType, MutAnyOrigin],
    input: TileTensor[mut=False, dtype, LayoutType, ImmutAnyOrigin],
):
    """Gives every lane the maximum of its warp.

    Parameters:
        size: The number of elements, a multiple of the warp's width.

    Args:
        output: The maximum of each element's warp, shape (size,).
        input: The vector, shape (size,).
    """
    var global_i = block_dim.x * block_idx.x + thread_idx.x

    if global_i < size:
        # FILL ME IN: about 8 lines
        pass
        # END OF FILL ME IN


def butterfly_conditional_max[
    size: Int
](
    output: TileTensor[mut=True, dtype, LayoutType_2, MutAnyOrigin],
    input: TileTensor[mut=False, dtype, LayoutType_2, ImmutAnyOrigin],
):
    """Gives even lanes the maximum of their warp and odd lanes its minimum.

    Parameters:
        size: The number of elements, a multiple of the warp's width.

    Args:
        output: The maximum or minimum of each element's warp, shape (size,).
        input: The vector, shape (size,).
    """
    var global_i = block_dim.x * block_idx.x + thread_idx.x
    var lane = lane_id()

    if global_i < size:
        # FILL ME IN: about 12 lines
        pass
        # END OF FILL ME IN


def warp_inclusive_prefix_sum[
    size: Int
](
    output: TileTensor[mut=True, dtype, LayoutType, MutAnyOrigin],
    input: TileTensor[mut=False, dtype, LayoutType, ImmutAnyOrigin],
):
    """Gives every lane the sum of its warp up to itself.

    Parameters:
        size: The number of elements, a multiple of the warp's width.

    Args:
        output: The sums, shape (size,).
        input: The addends, shape (size,).
    """
    var global_i = block_dim.x * block_idx.x + thread_idx.x

    if global_i < size:
        # FILL ME IN: 2 lines
        pass
        # END OF FILL ME IN


def warp_partition[
    size: Int
](
    output: TileTensor[mut=True, dtype, LayoutType, MutAnyOrigin],
    input: TileTensor[mut=False, dtype, LayoutType, ImmutAnyOrigin],
    pivot: Float32,
):
    """Moves the elements below the pivot before the others, each of the two in the order that they came in.

    Parameters:
        size: The number of elements, as many as a warp has lanes.

    Args:
        output: The partitioned vector, shape (size,).
        input: The vector, shape (size,).
        pivot: What the elements are compared with.
    """
    var global_i = block_dim.x * block_idx.x + thread_idx.x

    if global_i < size:
        # FILL ME IN: about 15 lines
        pass
        # END OF FILL ME IN
