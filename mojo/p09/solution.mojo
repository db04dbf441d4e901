"""Puzzle 09: programs in which something is wrong, to be found with a debugger or without."""

from layout import TileTensor
from layout.tile_layout import row_major
from layout.tile_tensor import stack_allocation
from max.gpu import thread_idx
from max.gpu.host import DeviceBuffer, DeviceContext
from max.gpu.memory import AddressSpace
from max.gpu.sync import barrier

comptime SIZE = 4
"""The elements of a vector."""
comptime BLOCKS_PER_GRID = 1
"""The blocks of the grid."""
comptime THREADS_PER_BLOCK = SIZE
"""The threads of a block: one for each element."""
comptime dtype = DType.float32
"""The element type."""


def add_10(
    output: UnsafePointer[Scalar[dtype], MutAnyOrigin],
    a: UnsafePointer[Scalar[dtype], MutAnyOrigin],
):
    """Adds 10 to each element.

    Args:
        output: The sums, `SIZE` elements.
        a: The addends, `SIZE` elements.

    Constraints:
        There is one block, of `SIZE` threads.
    """
    var i = thread_idx.x

    output[i] = a[i] + 10


def first_case(
    output: UnsafePointer[Scalar[dtype], MutAnyOrigin],
    a: UnsafePointer[Scalar[dtype], MutAnyOrigin],
    ctx: DeviceContext,
) raises:
    """Launches the kernel that adds 10 to each element.

    Args:
        output: The sums, `SIZE` elements.
        a: The addends, `SIZE` elements.
        ctx: Where they lie.

    Raises:
        The launch fails.
    """
    var input = DeviceBuffer[dtype](ctx, a, SIZE, owning=False)

    ctx.enqueue_function[add_10](
        output,
        input,
        grid_dim=BLOCKS_PER_GRID,
        block_dim=THREADS_PER_BLOCK,
    )


def process_sliding_window(
    output: UnsafePointer[Scalar[dtype], MutAnyOrigin],
    a: UnsafePointer[Scalar[dtype], MutAnyOrigin],
):
    """Adds to each element the one before it and the one behind it, where there are such.

    Args:
        output: The sums, `SIZE` elements.
        a: The addends, `SIZE` elements.

    Constraints:
        There is one block, of `SIZE` threads.
    """
    var i = thread_idx.x
    var total = Scalar[dtype](0)

    for step in range(3):
        var place = Int(i) + step - 1
        if 0 <= place < SIZE:
            total += a[place]

    output[i] = total


def collaborative_filter(
    output: UnsafePointer[Scalar[dtype], MutAnyOrigin],
    a: UnsafePointer[Scalar[dtype], MutAnyOrigin],
):
    """Adds to each element half of the one before it; the first and the last element stay as they are.

    Args:
        output: The sums, `SIZE` elements.
        a: The addends, `SIZE` elements.

    Constraints:
        There is one block, of `SIZE` threads.
    """
    var i = thread_idx.x
    var shared = stack_allocation[
        dtype=dtype, address_space=AddressSpace.SHARED
    ](row_major[SIZE - 1]())

    if i < SIZE - 1:
        shared[i] = a[i]

    barrier()

    var before = Scalar[dtype](0)
    if 0 < i < SIZE - 1:
        before = rebind[Scalar[dtype]](shared[i - 1])

    barrier()

    if i < SIZE - 1:
        shared[i] += before / 2

    if i < SIZE - 1:
        output[i] = rebind[Scalar[dtype]](shared[i])
    else:
        output[i] = a[i]
