"""Puzzle 35: what a load or a store may assume of an address."""

from layout import Coord, TileTensor
from layout.tile_layout import row_major
from max.gpu import block_dim, block_idx, thread_idx
from std.sys import align_of

comptime SIZE = 1 << 20
"""The elements of the vector, a multiple of `SIMD_WIDTH`."""
comptime TPB = 256
"""The threads of a block."""
comptime SIMD_WIDTH = 4
"""The elements that a thread loads at once."""
comptime SCALE = Scalar[dtype](2)
"""What each element is multiplied with."""
comptime BIAS = Scalar[dtype](1)
"""What is added then."""
comptime BLOCKS_PER_GRID = (SIZE // TPB, 1)
"""The blocks of the grid in x and y where a thread has one element."""
comptime BLOCKS_PER_GRID_VECTOR = (SIZE // (TPB * SIMD_WIDTH), 1)
"""The same where it has `SIMD_WIDTH`."""
comptime THREADS_PER_BLOCK = (TPB, 1)
"""The threads of a block in x and y."""
comptime dtype = DType.float32
"""The element type."""
comptime layout = row_major[SIZE]()
"""Where the elements lie."""
comptime LayoutType = type_of(layout)
"""The type of `layout`."""


def scalar_kernel(
    output: TileTensor[mut=True, dtype, LayoutType, MutAnyOrigin],
    a: TileTensor[mut=False, dtype, LayoutType, ImmutAnyOrigin],
    size_dev: Int32,
):
    """Writes `SCALE * a + BIAS`, an element for each thread.

    Args:
        output: The results, shape (SIZE).
        a: The vector, shape (SIZE).
        size_dev: The number of its elements.

    Constraints:
        A block has `TPB` threads in x, all blocks together one for each element.
    """
    var size = Int(size_dev)
    var i = Int(block_dim.x * block_idx.x + thread_idx.x)

    # FILL ME IN: about 2 lines
    if i < size:
        output[i] = a[i] * SCALE + BIAS
    # END OF FILL ME IN


def unaligned_kernel(
    output: TileTensor[mut=True, dtype, LayoutType, MutAnyOrigin],
    a: TileTensor[mut=False, dtype, LayoutType, ImmutAnyOrigin],
    size_dev: Int32,
):
    """Does the same with `SIMD_WIDTH` elements for each thread, at addresses of which only an element's alignment is said.

    Args:
        output: The results, shape (SIZE).
        a: The vector, shape (SIZE).
        size_dev: The number of its elements, a multiple of `SIMD_WIDTH`.

    Constraints:
        A block has `TPB` threads in x, all blocks together one for `SIMD_WIDTH` elements.
    """
    var size = Int(size_dev)
    var i = Int(block_dim.x * block_idx.x + thread_idx.x) * SIMD_WIDTH

    # FILL ME IN: about 5 lines
    comptime alignment = align_of[Scalar[dtype]]()
    if i + SIMD_WIDTH <= size:
        var values = a.load[width=SIMD_WIDTH, alignment=alignment](Coord(i))
        output.store[alignment=alignment](Coord(i), values * SCALE + BIAS)
    # END OF FILL ME IN


def aligned_kernel(
    output: TileTensor[mut=True, dtype, LayoutType, MutAnyOrigin],
    a: TileTensor[mut=False, dtype, LayoutType, ImmutAnyOrigin],
    size_dev: Int32,
):
    """Does the same at addresses that are said to be multiples of a vector's size, so that one load is enough.

    Args:
        output: The results, shape (SIZE).
        a: The vector, shape (SIZE).
        size_dev: The number of its elements, a multiple of `SIMD_WIDTH`.

    Constraints:
        A block has `TPB` threads in x, all blocks together one for `SIMD_WIDTH` elements; both tensors begin at a
        multiple of a vector's size.
    """
    var size = Int(size_dev)
    var i = Int(block_dim.x * block_idx.x + thread_idx.x) * SIMD_WIDTH

    # FILL ME IN: about 5 lines
    comptime alignment = align_of[SIMD[dtype, SIMD_WIDTH]]()
    if i + SIMD_WIDTH <= size:
        var values = a.load[width=SIMD_WIDTH, alignment=alignment](Coord(i))
        output.store[alignment=alignment](Coord(i), values * SCALE + BIAS)
    # END OF FILL ME IN
