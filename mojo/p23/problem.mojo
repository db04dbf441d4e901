"""Puzzle 23: functional patterns, where a library chooses the launch and calls a function for each element."""

from layout import Coord, TensorLayout, TileTensor
from layout.tile_layout import row_major
from max.algorithm.functional import elementwise
from max.gpu.host import DeviceContext, get_gpu_target
from std.algorithm import vectorize
from std.sys import simd_width_of

comptime SIZE = 1024
"""The elements of each vector."""
comptime TILE_SIZE = 32
"""The elements, or the groups of `SIMD_WIDTH`, that one thread adds where it adds a tile."""
comptime rank = 1
"""The axes of a vector."""
comptime dtype = DType.float32
"""The element type."""
comptime layout = row_major[SIZE]()
"""Where the elements lie."""
comptime LayoutType = type_of(layout)
"""The type of `layout`."""
comptime SIMD_WIDTH = simd_width_of[dtype, target=get_gpu_target()]()
"""The elements that one instruction of the GPU loads."""


def elementwise_add[
    LayoutT: TensorLayout, dtype: DType, simd_width: Int, rank: Int, size: Int
](
    output: TileTensor[mut=True, dtype, LayoutT, MutAnyOrigin],
    a: TileTensor[mut=False, dtype, LayoutT, MutAnyOrigin],
    b: TileTensor[mut=False, dtype, LayoutT, MutAnyOrigin],
    ctx: DeviceContext,
) raises:
    """Adds two vectors, `simd_width` elements in each call.

    Parameters:
        LayoutT: The type of their layout.
        dtype: Their element type.
        simd_width: The elements of a call.
        rank: Their axes.
        size: Their elements.

    Args:
        output: The sums, shape (size).
        a: The first addends, shape (size).
        b: The second addends, shape (size).
        ctx: Where they lie.

    Raises:
        The launch fails.
    """

    # FILL ME IN: about 4 lines
    pass
    # END OF FILL ME IN


def tiled_elementwise_add[
    LayoutT: TensorLayout,
    dtype: DType,
    simd_width: Int,
    rank: Int,
    size: Int,
    tile_size: Int,
](
    output: TileTensor[mut=True, dtype, LayoutT, MutAnyOrigin],
    a: TileTensor[mut=False, dtype, LayoutT, MutAnyOrigin],
    b: TileTensor[mut=False, dtype, LayoutT, MutAnyOrigin],
    ctx: DeviceContext,
) raises:
    """Adds two vectors, a tile in each call.

    Parameters:
        LayoutT: The type of their layout.
        dtype: Their element type.
        simd_width: The elements that are loaded at once.
        rank: Their axes.
        size: Their elements.
        tile_size: The elements of a tile; it divides `size`.

    Args:
        output: The sums, shape (size).
        a: The first addends, shape (size).
        b: The second addends, shape (size).
        ctx: Where they lie.

    Raises:
        The launch fails.
    """

    # FILL ME IN: about 12 lines
    pass
    # END OF FILL ME IN


def manual_vectorized_tiled_elementwise_add[
    LayoutT: TensorLayout,
    dtype: DType,
    simd_width: Int,
    num_threads_per_tile: Int,
    rank: Int,
    size: Int,
    tile_size: Int,
](
    output: TileTensor[mut=True, dtype, LayoutT, MutAnyOrigin],
    a: TileTensor[mut=False, dtype, LayoutT, MutAnyOrigin],
    b: TileTensor[mut=False, dtype, LayoutT, MutAnyOrigin],
    ctx: DeviceContext,
) raises:
    """Adds two vectors, `tile_size` groups of `simd_width` elements in each call.

    Parameters:
        LayoutT: The type of their layout.
        dtype: Their element type.
        simd_width: The elements of a group.
        num_threads_per_tile: The calls for a tile: 1.
        rank: Their axes.
        size: Their elements.
        tile_size: The groups of a call.

    Args:
        output: The sums, shape (size).
        a: The first addends, shape (size).
        b: The second addends, shape (size).
        ctx: Where they lie.

    Constraints:
        `tile_size * simd_width` divides `size`.

    Raises:
        The launch fails.
    """
    comptime chunk_size = tile_size * simd_width

    # FILL ME IN: about 9 lines
    pass
    # END OF FILL ME IN


def vectorize_within_tiles_elementwise_add[
    LayoutT: TensorLayout,
    dtype: DType,
    simd_width: Int,
    num_threads_per_tile: Int,
    rank: Int,
    size: Int,
    tile_size: Int,
](
    output: TileTensor[mut=True, dtype, LayoutT, MutAnyOrigin],
    a: TileTensor[mut=False, dtype, LayoutT, MutAnyOrigin],
    b: TileTensor[mut=False, dtype, LayoutT, MutAnyOrigin],
    ctx: DeviceContext,
) raises:
    """Adds two vectors, a tile in each call, in which `vectorize` takes the steps.

    Parameters:
        LayoutT: The type of their layout.
        dtype: Their element type.
        simd_width: The elements of a step.
        num_threads_per_tile: The calls for a tile: 1.
        rank: Their axes.
        size: Their elements.
        tile_size: The elements of a tile; it divides `size`.

    Args:
        output: The sums, shape (size).
        a: The first addends, shape (size).
        b: The second addends, shape (size).
        ctx: Where they lie.

    Raises:
        The launch fails.
    """

    # FILL ME IN: about 10 lines
    pass
    # END OF FILL ME IN
