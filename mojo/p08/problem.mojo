"""Puzzle 08: elements go through shared memory."""

from layout import TileTensor
from layout.tile_layout import row_major
from layout.tile_tensor import stack_allocation
from max.gpu import block_dim, block_idx, thread_idx
from max.gpu.memory import AddressSpace
from max.gpu.sync import barrier

comptime TPB = 4
"""The threads of a block."""
comptime SIZE = 8
"""The elements of the vector."""
comptime BLOCKS_PER_GRID = (2, 1)
"""The blocks of the grid in x and y."""
comptime THREADS_PER_BLOCK = (TPB, 1)
"""The threads of a block in x and y."""
comptime dtype = DType.float32
"""The element type."""
comptime layout = row_major[SIZE]()
"""Where the elements of the vector lie."""
comptime LayoutType = type_of(layout)
"""The type of `layout`."""


def add_10_shared_tile_tensor(
    output: TileTensor[mut=True, dtype, LayoutType, MutAnyOrigin],
    a: TileTensor[mut=False, dtype, LayoutType, ImmutAnyOrigin],
    size_dev: Int32,
):
    """Adds 10 to each element, which a block has in its shared memory first.

    Args:
        output: The sums, shape (SIZE).
        a: The addends, shape (SIZE).
        size_dev: How many elements there are.

    Constraints:
        A block has `TPB` threads in x, all blocks together `SIZE` or more.
    """
    var size = Int(size_dev)
    var shared = stack_allocation[
        dtype=dtype, address_space=AddressSpace.SHARED
    ](row_major[TPB]())
    var global_i = block_dim.x * block_idx.x + thread_idx.x
    var local_i = thread_idx.x

    if global_i < size:
        shared[local_i] = a[global_i]

    barrier()

    # FILL ME IN: two lines
    pass
    # END OF FILL ME IN
