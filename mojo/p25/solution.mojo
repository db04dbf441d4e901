"""Puzzle 25: lanes of a warp hear from the lanes after them, and from lane 0."""

from layout import TileTensor
from layout.tile_layout import row_major
from max.gpu import block_dim, block_idx, lane_id, thread_idx
from max.gpu.primitives.warp import WARP_SIZE, broadcast, shuffle_down

comptime SIZE = WARP_SIZE
"""The elements of most kernels: one for each lane of a warp."""
comptime BLOCKS_PER_GRID = (1, 1)
"""Their blocks in x and y."""
comptime THREADS_PER_BLOCK = (WARP_SIZE, 1)
"""Their threads of a block in x and y."""
comptime dtype = DType.float32
"""The element type."""
comptime layout = row_major[SIZE]()
"""Where their elements lie."""
comptime LayoutType = type_of(layout)
"""The type of `layout`."""

comptime SIZE_2 = 64
"""The elements of the moving average."""
comptime BLOCKS_PER_GRID_2 = (2, 1)
"""Its blocks in x and y."""
comptime THREADS_PER_BLOCK_2 = (WARP_SIZE, 1)
"""Its threads of a block in x and y."""
comptime layout_2 = row_major[SIZE_2]()
"""Where its elements lie."""
comptime Layout2Type = type_of(layout_2)
"""The type of `layout_2`."""


def neighbor_difference[
    size: Int
](
    output: TileTensor[mut=True, dtype, LayoutType, MutAnyOrigin],
    input: TileTensor[mut=False, dtype, LayoutType, MutAnyOrigin],
):
    """Writes by how much the next lane's element is larger, and 0 for the last lane of a warp.

    Parameters:
        size: The number of elements, a multiple of the warp's width.

    Args:
        output: The differences, shape (size,).
        input: The elements, shape (size,).
    """
    var global_i = block_dim.x * block_idx.x + thread_idx.x
    var lane = lane_id()

    # FILL ME IN: about 7 lines
    if global_i < size:
        var own = input[global_i]
        # All lanes take part, the last one too, which has nobody to hear from.
        var after = shuffle_down(own, 1)
        if lane < WARP_SIZE - 1:
            output[global_i] = after - own
        else:
            output[global_i] = 0
    # END OF FILL ME IN


def moving_average_3[
    size: Int
](
    output: TileTensor[mut=True, dtype, Layout2Type, MutAnyOrigin],
    input: TileTensor[mut=False, dtype, Layout2Type, MutAnyOrigin],
):
    """Writes the mean of an element and the two after it, of what there is of them in its warp.

    Parameters:
        size: The number of elements, a multiple of the warp's width.

    Args:
        output: The means, shape (size,).
        input: The elements, shape (size,).
    """
    var global_i = block_dim.x * block_idx.x + thread_idx.x
    var lane = lane_id()

    # FILL ME IN: about 11 lines
    if global_i < size:
        var own = input[global_i]
        var after = shuffle_down(own, 1)
        var second = shuffle_down(own, 2)
        if lane < WARP_SIZE - 2:
            output[global_i] = (own + after + second) / 3
        elif lane < WARP_SIZE - 1:
            output[global_i] = (own + after) / 2
        else:
            output[global_i] = own
    # END OF FILL ME IN


def broadcast_shuffle_coordination[
    size: Int
](
    output: TileTensor[mut=True, dtype, LayoutType, MutAnyOrigin],
    input: TileTensor[mut=False, dtype, LayoutType, MutAnyOrigin],
):
    """Adds the next lane's element, if there is one, and scales by the mean of the block's first four elements.

    Parameters:
        size: The number of elements, a multiple of the warp's width.

    Args:
        output: The scaled sums, shape (size,).
        input: The elements, shape (size,).
    """
    var global_i = block_dim.x * block_idx.x + thread_idx.x
    var lane = lane_id()

    # FILL ME IN: about 15 lines
    if global_i < size:
        var own = input[global_i]
        var scale = Scalar[dtype](0)
        if lane == 0:
            # The block's first, whichever of its warps it is.
            var first = block_dim.x * block_idx.x
            for i in range(4):
                scale += input[first + i]
            scale /= 4
        scale = broadcast(scale)

        var after = shuffle_down(own, 1)
        if lane < WARP_SIZE - 1:
            output[global_i] = (own + after) * scale
        else:
            output[global_i] = own * scale
    # END OF FILL ME IN


def basic_broadcast[
    size: Int
](
    output: TileTensor[mut=True, dtype, LayoutType, MutAnyOrigin],
    input: TileTensor[mut=False, dtype, LayoutType, MutAnyOrigin],
):
    """Adds the sum of the block's first four elements, which lane 0 alone computes, to each element.

    Parameters:
        size: The number of elements, a multiple of the warp's width.

    Args:
        output: The sums, shape (size,).
        input: The elements, shape (size,).
    """
    var global_i = block_dim.x * block_idx.x + thread_idx.x
    var lane = lane_id()

    # FILL ME IN: about 9 lines
    if global_i < size:
        var total = Scalar[dtype](0)
        if lane == 0:
            var first = block_dim.x * block_idx.x
            for i in range(4):
                total += input[first + i]
        # What the other lanes hold of it is lost: all take what lane 0 has.
        total = broadcast(total)
        output[global_i] = total + input[global_i]
    # END OF FILL ME IN


def conditional_broadcast[
    size: Int
](
    output: TileTensor[mut=True, dtype, LayoutType, MutAnyOrigin],
    input: TileTensor[mut=False, dtype, LayoutType, MutAnyOrigin],
):
    """Doubles what reaches half of the largest of the block's first eight elements, and halves the rest.

    Parameters:
        size: The number of elements, a multiple of the warp's width.

    Args:
        output: What was doubled or halved, shape (size,).
        input: The elements, shape (size,).
    """
    var global_i = block_dim.x * block_idx.x + thread_idx.x
    var lane = lane_id()

    # FILL ME IN: about 15 lines
    if global_i < size:
        var own = input[global_i]
        var largest = own
        if lane == 0:
            var first = block_dim.x * block_idx.x
            largest = input[first]
            for i in range(1, 8):
                largest = max(largest, input[first + i])
        var threshold = broadcast(largest) / 2

        if own >= threshold:
            output[global_i] = own * 2
        else:
            output[global_i] = own / 2
    # END OF FILL ME IN
