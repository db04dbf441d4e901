"""Puzzle 12: the dot product of two vectors, by a tree in shared memory."""

from layout import TileTensor
from layout.tile_layout import row_major
from layout.tile_tensor import stack_allocation
from max.gpu import block_dim, block_idx, thread_idx
from max.gpu.memory import AddressSpace
from max.gpu.sync import barrier

comptime TPB = 8
"""The threads of a block, a power of two."""
comptime SIZE = 8
"""The elements of each vector."""
comptime BLOCKS_PER_GRID = (1, 1)
"""The blocks of the grid in x and y."""
comptime THREADS_PER_BLOCK = (TPB, 1)
"""The threads of a block in x and y."""
comptime dtype = DType.float32
"""The element type."""
comptime layout = row_major[SIZE]()
"""Where the elements of a vector lie."""
comptime out_layout = row_major[1]()
"""Where the product lies."""
comptime LayoutType = type_of(layout)
"""The type of `layout`."""
comptime OutLayout = type_of(out_layout)
"""The type of `out_layout`."""


def dot_product(
    output: TileTensor[mut=True, dtype, OutLayout, MutAnyOrigin],
    a: TileTensor[mut=False, dtype, LayoutType, ImmutAnyOrigin],
    b: TileTensor[mut=False, dtype, LayoutType, ImmutAnyOrigin],
    size_dev: Int32,
):
    """Writes the sum of the products of all pairs of elements.

    Args:
        output: The dot product, shape (1).
        a: One factor each, shape (SIZE).
        b: The other factor each, shape (SIZE).
        size_dev: How many pairs there are, at most `TPB`.

    Constraints:
        There is one block, of `TPB` threads in x.
    """
    var size = Int(size_dev)

    # FILL ME IN: about 22 lines
    var shared = stack_allocation[
        dtype=dtype, address_space=AddressSpace.SHARED
    ](row_major[TPB]())
    var global_i = block_dim.x * block_idx.x + thread_idx.x
    var local_i = thread_idx.x
    if global_i < size:
        shared[local_i] = a[global_i] * b[global_i]
    else:
        shared[local_i] = 0

    barrier()

    var stride = TPB // 2
    while stride > 0:
        # Only the lower half writes, and what it reads lies in the upper half.
        if local_i < stride:
            shared[local_i] += shared[local_i + stride]

        barrier()

        stride //= 2

    if local_i == 0:
        output[0] = shared[0]
    # END OF FILL ME IN
