"""Puzzle 13: convolution in one dimension, in one block and over the edges of several."""

from layout import TileTensor
from layout.tile_layout import row_major
from layout.tile_tensor import stack_allocation
from max.gpu import block_dim, block_idx, thread_idx
from max.gpu.memory import AddressSpace
from max.gpu.sync import barrier

comptime TPB = 8
"""The threads of a block."""
comptime SIZE = 6
"""The elements of the vector that one block takes."""
comptime CONV = 3
"""The weights that it is convolved with."""
comptime BLOCKS_PER_GRID = (1, 1)
"""The blocks of the grid in x and y where there is one."""
comptime THREADS_PER_BLOCK = (TPB, 1)
"""The threads of a block in x and y."""
comptime dtype = DType.float32
"""The element type."""
comptime in_layout = row_major[SIZE]()
"""Where the elements of the vector lie."""
comptime out_layout = row_major[SIZE]()
"""Where the results lie."""
comptime conv_layout = row_major[CONV]()
"""Where the weights lie."""
comptime InLayout = type_of(in_layout)
"""The type of `in_layout`."""
comptime OutLayout = type_of(out_layout)
"""The type of `out_layout`."""
comptime ConvLayout = type_of(conv_layout)
"""The type of `conv_layout`."""

comptime SIZE_2 = 15
"""The elements of the vector that several blocks take."""
comptime CONV_2 = 4
"""The weights that it is convolved with."""
comptime BLOCKS_PER_GRID_2 = (2, 1)
"""The blocks of the grid in x and y where there are several."""
comptime THREADS_PER_BLOCK_2 = (TPB, 1)
"""The threads of each of these in x and y."""
comptime in_2_layout = row_major[SIZE_2]()
"""Where the elements of that vector lie."""
comptime out_2_layout = row_major[SIZE_2]()
"""Where its results lie."""
comptime conv_2_layout = row_major[CONV_2]()
"""Where its weights lie."""
comptime In2Layout = type_of(in_2_layout)
"""The type of `in_2_layout`."""
comptime Out2Layout = type_of(out_2_layout)
"""The type of `out_2_layout`."""
comptime Conv2Layout = type_of(conv_2_layout)
"""The type of `conv_2_layout`."""


def conv_1d_simple(
    output: TileTensor[mut=True, dtype, OutLayout, MutAnyOrigin],
    a: TileTensor[mut=False, dtype, InLayout, ImmutAnyOrigin],
    b: TileTensor[mut=False, dtype, ConvLayout, ImmutAnyOrigin],
):
    """Writes for each element the weighted sum of it and those behind it.

    Args:
        output: The sums, shape (SIZE).
        a: The vector, shape (SIZE); behind its end everything counts as 0.
        b: The weights, shape (CONV).

    Constraints:
        A block has `TPB` threads in x, and the first block has all elements.
    """
    var global_i = block_dim.x * block_idx.x + thread_idx.x
    var local_i = thread_idx.x

    # FILL ME IN: about 20 lines
    pass
    # END OF FILL ME IN


def conv_1d_block_boundary(
    output: TileTensor[mut=True, dtype, Out2Layout, MutAnyOrigin],
    a: TileTensor[mut=False, dtype, In2Layout, ImmutAnyOrigin],
    b: TileTensor[mut=False, dtype, Conv2Layout, ImmutAnyOrigin],
):
    """Writes for each element the weighted sum of it and those behind it, also where these belong to the next block.

    Args:
        output: The sums, shape (SIZE_2).
        a: The vector, shape (SIZE_2); behind its end everything counts as 0.
        b: The weights, shape (CONV_2).

    Constraints:
        A block has `TPB` threads in x, all blocks together `SIZE_2` or more.
    """
    var global_i = block_dim.x * block_idx.x + thread_idx.x
    var local_i = thread_idx.x

    # FILL ME IN: about 28 lines
    pass
    # END OF FILL ME IN
