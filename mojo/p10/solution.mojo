"""Puzzle 10: kernels that give right answers and are wrong all the same, as a sanitizer shows."""

from layout import TileTensor
from layout.tile_layout import row_major
from layout.tile_tensor import stack_allocation
from max.gpu import thread_idx
from max.gpu.memory import AddressSpace
from max.gpu.sync import barrier

comptime SIZE = 2
"""The rows and columns of the matrix."""
comptime BLOCKS_PER_GRID = 1
"""The blocks of the grid."""
comptime THREADS_PER_BLOCK = (3, 3)
"""The threads of a block in x and y: more than there are elements."""
comptime dtype = DType.float32
"""The element type."""
comptime layout = row_major[SIZE, SIZE]()
"""Where the elements of the matrix lie."""
comptime LayoutType = type_of(layout)
"""The type of `layout`."""


def add_10_2d(
    output: TileTensor[mut=True, dtype, LayoutType, MutAnyOrigin],
    a: TileTensor[mut=False, dtype, LayoutType, ImmutAnyOrigin],
    size_dev: Int32,
):
    """Adds 10 to each element of a matrix.

    Args:
        output: The sums, shape (SIZE, SIZE).
        a: The addends, shape (SIZE, SIZE).
        size_dev: How many rows and columns there are.

    Constraints:
        There is one block, of at least `SIZE` x `SIZE` threads.
    """
    var size = Int(size_dev)
    var row = thread_idx.y
    var col = thread_idx.x

    if row < size and col < size:
        output[row, col] = a[row, col] + 10


def shared_memory_race(
    output: TileTensor[mut=True, dtype, LayoutType, MutAnyOrigin],
    a: TileTensor[mut=False, dtype, LayoutType, ImmutAnyOrigin],
    size_dev: Int32,
):
    """Writes the sum of all elements of a matrix to each element of another.

    Args:
        output: The sum, shape (SIZE, SIZE).
        a: The addends, shape (SIZE, SIZE).
        size_dev: How many rows and columns there are.

    Constraints:
        There is one block, of at least `SIZE` x `SIZE` threads.
    """
    var size = Int(size_dev)
    var row = thread_idx.y
    var col = thread_idx.x
    var shared = stack_allocation[
        dtype=dtype, address_space=AddressSpace.SHARED
    ](row_major[1]())

    if row == 0 and col == 0:
        var total = Scalar[dtype](0)
        for y in range(size):
            for x in range(size):
                total += rebind[Scalar[dtype]](a[y, x])

        shared[0] = total

    barrier()

    if row < size and col < size:
        output[row, col] = shared[0]
