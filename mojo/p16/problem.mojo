"""Puzzle 16: matrix products, through shared memory and in tiles."""

from layout import Layout as IntTupleLayout
from layout import TileTensor
from layout.layout_tensor import copy_dram_to_sram_async
from layout.tile_layout import row_major
from layout.tile_tensor import stack_allocation
from max.gpu import block_dim, block_idx, thread_idx
from max.gpu.memory import AddressSpace, async_copy_wait_all
from max.gpu.sync import barrier

comptime TPB = 3
"""The threads of a block in x, and in y."""
comptime SIZE = 2
"""The rows and columns of the matrices that one block multiplies."""
comptime BLOCKS_PER_GRID = (1, 1)
"""The blocks of the grid in x and y where one block multiplies."""
comptime THREADS_PER_BLOCK = (TPB, TPB)
"""The threads of a block in x and y."""
comptime dtype = DType.float32
"""The element type."""
comptime layout = row_major[SIZE, SIZE]()
"""Where the elements of these matrices lie."""
comptime LayoutType = type_of(layout)
"""The type of `layout`."""

comptime SIZE_TILED = 9
"""The rows and columns of the matrices that several blocks multiply."""
comptime BLOCKS_PER_GRID_TILED = (3, 3)
"""The blocks of the grid in x and y where several multiply."""
comptime THREADS_PER_BLOCK_TILED = (TPB, TPB)
"""The threads of each of these in x and y."""
comptime layout_tiled = row_major[SIZE_TILED, SIZE_TILED]()
"""Where the elements of the larger matrices lie."""
comptime LayoutTiledType = type_of(layout_tiled)
"""The type of `layout_tiled`."""
comptime NUM_THREADS = TPB * TPB
"""The threads of a block, all together."""
comptime BLOCK_DIM_COUNT = 2
"""The axes on which the threads of a block are counted."""


def naive_matmul[
    size: Int
](
    output: TileTensor[mut=True, dtype, LayoutType, MutAnyOrigin],
    a: TileTensor[mut=False, dtype, LayoutType, ImmutAnyOrigin],
    b: TileTensor[mut=False, dtype, LayoutType, ImmutAnyOrigin],
):
    """Writes the product of `a` and `b`, each thread an element.

    Parameters:
        size: The rows and columns of each matrix.

    Args:
        output: The product, shape (size, size).
        a: The left factor, shape (size, size).
        b: The right factor, shape (size, size).

    Constraints:
        There are at least as many threads in x and in y as `size`.
    """
    var row = block_dim.y * block_idx.y + thread_idx.y
    var col = block_dim.x * block_idx.x + thread_idx.x

    # FILL ME IN: about 6 lines
    pass
    # END OF FILL ME IN


def single_block_matmul[
    size: Int
](
    output: TileTensor[mut=True, dtype, LayoutType, MutAnyOrigin],
    a: TileTensor[mut=False, dtype, LayoutType, ImmutAnyOrigin],
    b: TileTensor[mut=False, dtype, LayoutType, ImmutAnyOrigin],
):
    """Writes the product of `a` and `b`, both of which a block holds in shared memory.

    Parameters:
        size: The rows and columns of each matrix, at most `TPB`.

    Args:
        output: The product, shape (size, size).
        a: The left factor, shape (size, size).
        b: The right factor, shape (size, size).

    Constraints:
        A block has (TPB, TPB) threads, and the first block has all elements.
    """
    var row = block_dim.y * block_idx.y + thread_idx.y
    var col = block_dim.x * block_idx.x + thread_idx.x
    var local_row = thread_idx.y
    var local_col = thread_idx.x

    # FILL ME IN: about 18 lines
    pass
    # END OF FILL ME IN


def matmul_tiled[
    size: Int
](
    output: TileTensor[mut=True, dtype, LayoutTiledType, MutAnyOrigin],
    a: TileTensor[mut=False, dtype, LayoutTiledType, ImmutAnyOrigin],
    b: TileTensor[mut=False, dtype, LayoutTiledType, ImmutAnyOrigin],
):
    """Writes the product of `a` and `b`, of which a block holds a tile at a time.

    Parameters:
        size: The rows and columns of each matrix.

    Args:
        output: The product, shape (size, size).
        a: The left factor, shape (size, size).
        b: The right factor, shape (size, size).

    Constraints:
        A block has (TPB, TPB) threads, and the blocks cover the product.
    """
    var local_row = thread_idx.y
    var local_col = thread_idx.x
    var tiled_row = block_idx.y * TPB + local_row
    var tiled_col = block_idx.x * TPB + local_col

    # FILL ME IN: about 26 lines
    pass
    # END OF FILL ME IN


def matmul_idiomatic_tiled[
    size: Int
](
    output: TileTensor[mut=True, dtype, LayoutTiledType, MutAnyOrigin],
    a: TileTensor[mut=False, dtype, LayoutTiledType, ImmutAnyOrigin],
    b: TileTensor[mut=False, dtype, LayoutTiledType, ImmutAnyOrigin],
):
    """Writes the product of `a` and `b`, of which the hardware copies a tile at a time.

    Parameters:
        size: The rows and columns of each matrix, a multiple of `TPB`.

    Args:
        output: The product, shape (size, size).
        a: The left factor, shape (size, size).
        b: The right factor, shape (size, size).

    Constraints:
        A block has (TPB, TPB) threads, and the blocks cover the product.
        Asynchronous copies need compute capability 8.0 or later on NVIDIA;
        elsewhere threads copy.
    """
    var local_row = thread_idx.y
    var local_col = thread_idx.x

    # FILL ME IN: about 30 lines
    pass
    # END OF FILL ME IN
