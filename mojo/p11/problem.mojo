"""Puzzle 11: the sum of each element and the two before it, through shared memory."""

from layout import TileTensor
from layout.tile_layout import row_major
from layout.tile_tensor import stack_allocation
from max.gpu import block_dim, block_idx, thread_idx
from max.gpu.memory import AddressSpace
from max.gpu.sync import barrier

comptime TPB = 8
"""The threads of a block."""
comptime SIZE = 8
"""The elements of the vector."""
comptime BLOCKS_PER_GRID = (1, 1)
"""The blocks of the grid in x and y."""
comptime THREADS_PER_BLOCK = (TPB, 1)
"""The threads of a block in x and y."""
comptime dtype = DType.float32
"""The element type."""
comptime layout = row_major[SIZE]()
"""Where the elements of the vector lie."""
comptime LayoutType = type_of(layout)
"""The type of `layout`."""


def pooling(
    output: TileTensor[mut=True, dtype, LayoutType, MutAnyOrigin],
    a: TileTensor[mut=False, dtype, LayoutType, ImmutAnyOrigin],
    size_dev: Int32,
):
    """Writes to each element of `output` the sum of that of `a` and of the two before it.

    Args:
        output: The sums, shape (SIZE).
        a: The addends, shape (SIZE).
        size_dev: How many elements there are, at most `TPB`.

    Constraints:
        A block has `TPB` threads in x, and the first block has all elements.
    """
    var size = Int(size_dev)
    var shared = stack_allocation[
        dtype=dtype, address_space=AddressSpace.SHARED
    ](row_major[TPB]())
    var global_i = block_dim.x * block_idx.x + thread_idx.x
    var local_i = thread_idx.x

    # FILL ME IN: about 10 lines
    pass
    # END OF FILL ME IN
