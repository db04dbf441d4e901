"""Puzzle 14: inclusive prefix sums, of one block and of several."""

from layout import TileTensor
from layout.tile_layout import row_major
from layout.tile_tensor import stack_allocation
from max.gpu import block_dim, block_idx, thread_idx
from max.gpu.memory import AddressSpace
from max.gpu.sync import barrier

comptime TPB = 8
"""The threads of a block."""
comptime SIZE = 8
"""The elements that one block sums."""
comptime BLOCKS_PER_GRID = (1, 1)
"""The blocks of the grid in x and y where one block sums."""
comptime THREADS_PER_BLOCK = (TPB, 1)
"""The threads of a block in x and y."""
comptime dtype = DType.float32
"""The element type."""
comptime layout = row_major[SIZE]()
"""Where the elements lie that one block sums."""
comptime LayoutType = type_of(layout)
"""The type of `layout`."""

comptime SIZE_2 = 15
"""The elements that several blocks sum."""
comptime BLOCKS_PER_GRID_2 = (2, 1)
"""The blocks of the grid in x and y where several sum."""
comptime THREADS_PER_BLOCK_2 = (TPB, 1)
"""The threads of each of these in x and y."""
comptime EXTENDED_SIZE = SIZE_2 + 2
"""The elements that several blocks sum, with room for the total of each block behind them."""
comptime layout_2 = row_major[SIZE_2]()
"""Where the elements lie that several blocks sum."""
comptime extended_layout = row_major[EXTENDED_SIZE]()
"""Where their sums lie, and the totals."""
comptime Layout2Type = type_of(layout_2)
"""The type of `layout_2`."""
comptime ExtendedLayoutType = type_of(extended_layout)
"""The type of `extended_layout`."""


def prefix_sum_simple(
    output: TileTensor[mut=True, dtype, LayoutType, MutAnyOrigin],
    a: TileTensor[mut=False, dtype, LayoutType, ImmutAnyOrigin],
    size_dev: Int32,
):
    """Writes to each element of `output` the sum of `a` up to it.

    Args:
        output: The sums, shape (SIZE).
        a: The addends, shape (SIZE).
        size_dev: How many addends there are, at most `TPB`.

    Constraints:
        A block has `TPB` threads in x, and the first block has all elements.
    """
    var size = Int(size_dev)
    var global_i = block_dim.x * block_idx.x + thread_idx.x
    var local_i = thread_idx.x

    # FILL ME IN: about 18 lines
    pass
    # END OF FILL ME IN


def prefix_sum_local_phase(
    output: TileTensor[mut=True, dtype, ExtendedLayoutType, MutAnyOrigin],
    a: TileTensor[mut=False, dtype, Layout2Type, ImmutAnyOrigin],
    size_dev: Int32,
):
    """Writes the sums within each block, and behind all sums the total of each block.

    Args:
        output: `size_dev` sums within blocks, right behind them the totals, shape (EXTENDED_SIZE).
        a: The addends, shape (SIZE_2).
        size_dev: How many addends there are, at most `SIZE_2`.

    Constraints:
        A block has `TPB` threads in x.
    """
    var size = Int(size_dev)
    var global_i = block_dim.x * block_idx.x + thread_idx.x
    var local_i = thread_idx.x

    # FILL ME IN: about 20 lines
    pass
    # END OF FILL ME IN


def prefix_sum_block_sum_phase(
    output: TileTensor[mut=True, dtype, ExtendedLayoutType, MutAnyOrigin],
    size_dev: Int32,
):
    """Adds to the sums within each block the totals of the blocks before it.

    Args:
        output: What the first phase left, shape (EXTENDED_SIZE).
        size_dev: How many sums there are, at most `SIZE_2`.

    Constraints:
        A block has `TPB` threads in x, and the first phase has ended.
    """
    var size = Int(size_dev)
    var global_i = block_dim.x * block_idx.x + thread_idx.x

    # FILL ME IN: about 5 lines
    pass
    # END OF FILL ME IN
