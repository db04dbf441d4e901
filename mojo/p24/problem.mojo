"""Puzzle 24: the dot product of two vectors of a warp, through shared memory and without it."""

from layout import Coord, TileTensor
from layout.tile_layout import TensorLayout, row_major
from layout.tile_tensor import stack_allocation
from max.algorithm.functional import elementwise
from max.gpu import block_dim, block_idx, lane_id, thread_idx
from max.gpu.host import DeviceContext
from max.gpu.memory import AddressSpace
from max.gpu.primitives.warp import WARP_SIZE
from max.gpu.primitives.warp import sum as warp_sum
from max.gpu.sync import barrier
from std.sys import simd_width_of

comptime SIZE = WARP_SIZE
"""The elements of each vector: one for each lane of a warp."""
comptime BLOCKS_PER_GRID = (1, 1)
"""The blocks of the grid in x and y."""
comptime THREADS_PER_BLOCK = (WARP_SIZE, 1)
"""The threads of a block in x and y."""
comptime dtype = DType.float32
"""The element type."""
comptime SIMD_WIDTH = simd_width_of[dtype]()
"""The elements that one instruction of the processor loads."""
comptime in_layout = row_major[SIZE]()
"""Where the elements of a vector lie."""
comptime out_layout = row_major[1]()
"""Where the product of each warp lies."""
comptime InLayout = type_of(in_layout)
"""The type of `in_layout`."""
comptime OutLayout = type_of(out_layout)
"""The type of `out_layout`."""


def traditional_dot_product_p12_style[
    InLayoutT: TensorLayout, OutLayoutT: TensorLayout, size: Int
](
    output: TileTensor[mut=True, dtype, OutLayoutT, MutAnyOrigin],
    a: TileTensor[mut=False, dtype, InLayoutT, MutAnyOrigin],
    b: TileTensor[mut=False, dtype, InLayoutT, MutAnyOrigin],
):
    """Writes the dot product of each warp's elements, added in a tree in shared memory.

    Parameters:
        InLayoutT: The type of the vectors' layout.
        OutLayoutT: The type of the products' layout.
        size: The elements of each vector.

    Args:
        output: The dot product of each warp.
        a: One factor each, shape (size,).
        b: The other factor each, shape (size,).

    Constraints:
        A block is one warp.
    """
    comptime assert output.flat_rank == 1, "output is a vector"
    var global_i = block_dim.x * block_idx.x + thread_idx.x
    var local_i = thread_idx.x

    # FILL ME IN: about 18 lines
    pass
    # END OF FILL ME IN


def simple_warp_dot_product[
    InLayoutT: TensorLayout, OutLayoutT: TensorLayout, size: Int
](
    output: TileTensor[mut=True, dtype, OutLayoutT, MutAnyOrigin],
    a: TileTensor[mut=False, dtype, InLayoutT, MutAnyOrigin],
    b: TileTensor[mut=False, dtype, InLayoutT, MutAnyOrigin],
):
    """Writes the dot product of each warp's elements, added between registers.

    Parameters:
        InLayoutT: The type of the vectors' layout.
        OutLayoutT: The type of the products' layout.
        size: The elements of each vector.

    Args:
        output: The dot product of each warp.
        a: One factor each, shape (size,).
        b: The other factor each, shape (size,).
    """
    comptime assert output.flat_rank == 1, "output is a vector"
    var global_i = block_dim.x * block_idx.x + thread_idx.x

    # FILL ME IN: about 7 lines
    pass
    # END OF FILL ME IN


def functional_warp_dot_product[
    InLayoutT: TensorLayout,
    OutLayoutT: TensorLayout,
    //,
    dtype: DType,
    simd_width: Int,
    rank: Int,
    size: Int,
](
    output: TileTensor[mut=True, dtype, OutLayoutT, MutAnyOrigin],
    a: TileTensor[mut=False, dtype, InLayoutT, MutAnyOrigin],
    b: TileTensor[mut=False, dtype, InLayoutT, MutAnyOrigin],
    ctx: DeviceContext,
) raises:
    """Writes the dot product of each warp's elements, in a function that a library calls for each element.

    Parameters:
        InLayoutT: The type of the vectors' layout.
        OutLayoutT: The type of the products' layout.
        dtype: The element type.
        simd_width: The elements that one instruction of the processor loads.
        rank: The axes of a vector.
        size: The elements of each vector, a multiple of the warp's width.

    Args:
        output: The dot product of each warp.
        a: One factor each, shape (size,).
        b: The other factor each, shape (size,).
        ctx: Where they lie.

    Raises:
        The launch fails.
    """
    comptime assert output.flat_rank == 1, "output is a vector"

    # FILL ME IN: about 9 lines
    pass
    # END OF FILL ME IN
