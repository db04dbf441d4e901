"""Puzzle 26: butterfly exchange between the lanes of a warp."""

from layout import TileTensor
from layout.tile_layout import TensorLayout
from max.gpu import block_dim, block_idx, lane_id, thread_idx
from max.gpu.primitives.warp import WARP_SIZE, shuffle_xor

comptime DTYPE = DType.float32
"""The element type of every exchanged value."""


def butterfly_pair_swap[
    OutLayout: TensorLayout, InLayout: TensorLayout, size: Int
](
    output: TileTensor[mut=True, DTYPE, OutLayout, MutAnyOrigin],
    input: TileTensor[mut=False, DTYPE, InLayout, ImmutAnyOrigin],
):
    """Swaps each pair of neighbours: `output[i] = input[i ^ 1]`.

    Parameters:
        OutLayout: The layout of `output`.
        InLayout: The layout of `input`.
        size: The number of elements, a multiple of the warp's width.

    Args:
        output: The swapped vector, shape (size,).
        input: The vector, shape (size,).
    """
    comptime assert output.flat_rank == 1 and input.flat_rank == 1
    var global_i = block_dim.x * block_idx.x + thread_idx.x

    if global_i < size:
        # FILL ME IN: 2 lines
        pass
        # END OF FILL ME IN


def butterfly_parallel_max[
    OutLayout: TensorLayout, InLayout: TensorLayout, size: Int
](
    output: TileTensor[mut=True, DTYPE, OutLayout, MutAnyOrigin],
    input: TileTensor[mut=False, DTYPE, InLayout, ImmutAnyOrigin],
):
    """Gives every lane the maximum of its warp.

    Parameters:
        OutLayout: The layout of `output`.
        InLayout: The layout of `input`.
        size: The number of elements, a multiple of the warp's width.

    Args:
        output: The maximum of each element's warp, shape (size,).
        input: The vector, shape (size,).
    """
    comptime assert output.flat_rank == 1 and input.flat_rank == 1
    var global_i = block_dim.x * block_idx.x + thread_idx.x

    if global_i < size:
        # FILL ME IN: about 8 lines
        pass
        # END OF FILL ME IN


def butterfly_conditional_max[
    OutLayout: TensorLayout, InLayout: TensorLayout, size: Int
](
    output: TileTensor[mut=True, DTYPE, OutLayout, MutAnyOrigin],
    input: TileTensor[mut=False, DTYPE, InLayout, ImmutAnyOrigin],
):
    """Gives even lanes the maximum of their warp and odd lanes its minimum.

    Parameters:
        OutLayout: The layout of `output`.
        InLayout: The layout of `input`.
        size: The number of elements, a multiple of the warp's width.

    Args:
        output: The maximum or minimum of each element's warp, shape (size,).
        input: The vector, shape (size,).
    """
    comptime assert output.flat_rank == 1 and input.flat_rank == 1
    var global_i = block_dim.x * block_idx.x + thread_idx.x

    if global_i < size:
        # FILL ME IN: about 12 lines
        pass
        # END OF FILL ME IN
