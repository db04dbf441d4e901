"""Puzzle 29: barriers between the stages of a pipeline, and barriers that are counted in memory."""

from layout import TileTensor
from layout.tile_layout import row_major
from layout.tile_tensor import stack_allocation
from max.gpu import block_dim, block_idx, thread_idx
from max.gpu.memory import AddressSpace
from max.gpu.sync import (
    barrier,
    mbarrier_arrive,
    mbarrier_init,
    mbarrier_test_wait,
)

comptime TPB = 256
"""The threads of a block, and the elements that each block takes."""
comptime SIZE = 1024
"""The elements of the vector."""
comptime BLOCKS_PER_GRID = (4, 1)
"""The blocks of the grid in x and y."""
comptime THREADS_PER_BLOCK = (TPB, 1)
"""The threads of a block in x and y."""
comptime dtype = DType.float32
"""The element type."""
comptime layout = row_major[SIZE]()
"""Where the elements lie."""
comptime LayoutType = type_of(layout)
"""The type of `layout`."""

comptime STAGE1_THREADS = TPB // 2
"""The threads that load, the first of a block."""
comptime STAGE2_THREADS = TPB // 2
"""The threads that blur, those behind them."""
comptime BLUR_RADIUS = 2
"""The elements on each side of one that its mean takes."""

comptime STENCIL_ITERATIONS = 3
"""How often each element becomes the mean of it and its neighbours."""
comptime BUFFER_COUNT = 2
"""The buffers, of which one is read while the other is written."""


def multi_stage_image_blur_pipeline(
    output: TileTensor[mut=True, dtype, LayoutType, MutAnyOrigin],
    input: TileTensor[mut=False, dtype, LayoutType, MutAnyOrigin],
    size_dev: Int32,
):
    """Amplifies a stretch of the vector, blurs it and smooths it, each stage by other threads.

    Args:
        output: The smoothed elements, shape (SIZE).
        input: The vector, shape (SIZE).
        size_dev: The number of its elements.

    Constraints:
        A block has `TPB` threads in x; no stage looks beyond its block's elements, of which those past the end are 0.
    """
    var size = Int(size_dev)
    var global_i = Int(block_dim.x * block_idx.x + thread_idx.x)
    var local_i = Int(thread_idx.x)
    var input_shared = stack_allocation[
        dtype=dtype, address_space=AddressSpace.SHARED
    ](row_major[TPB]())
    var blur_shared = stack_allocation[
        dtype=dtype, address_space=AddressSpace.SHARED
    ](row_major[TPB]())

    # Stage 1: the first half of the threads load two elements each, and make them 1.1 times as large.
    # FILL ME IN: about 9 lines
    pass
    # END OF FILL ME IN

    barrier()

    # Stage 2: the other half take the mean around two elements each, of what the block has of them.
    # FILL ME IN: about 12 lines
    pass
    # END OF FILL ME IN

    barrier()

    # Stage 3: all threads smooth their element: (own + left) * 0.6, then (that + right) * 0.6, where there are such.
    # FILL ME IN: about 7 lines
    pass
    # END OF FILL ME IN


def double_buffered_stencil_computation(
    output: TileTensor[mut=True, dtype, LayoutType, MutAnyOrigin],
    input: TileTensor[mut=False, dtype, LayoutType, MutAnyOrigin],
    size_dev: Int32,
):
    """Takes the mean of each element and its neighbours `STENCIL_ITERATIONS` times.

    Args:
        output: The means, shape (SIZE).
        input: The vector, shape (SIZE).
        size_dev: The number of its elements.

    Constraints:
        A block has `TPB` threads in x; no element beyond a block's own is a neighbour, and those past the end are 0.
        Barriers in shared memory need an NVIDIA GPU of compute capability 8.0 or later.
    """
    var size = Int(size_dev)
    var global_i = Int(block_dim.x * block_idx.x + thread_idx.x)
    var local_i = Int(thread_idx.x)
    var buffers = stack_allocation[
        dtype=dtype, address_space=AddressSpace.SHARED
    ](row_major[BUFFER_COUNT, TPB]())
    var bar = stack_allocation[
        dtype=DType.uint64, address_space=AddressSpace.SHARED
    ](row_major[1]())

    # FILL ME IN: about 30 lines
    pass
    # END OF FILL ME IN
