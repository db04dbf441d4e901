"""Puzzle 28: asynchronous copies, behind which a convolution of tiles waits."""

from layout import Layout, LayoutTensor, TileTensor
from layout.tile_io import copy_dram_to_sram_async
from layout.tile_layout import row_major
from layout.tile_tensor import stack_allocation
from max.gpu import block_idx, thread_idx
from max.gpu.memory import AddressSpace, async_copy_wait_all
from max.gpu.sync import barrier

comptime VECTOR_SIZE = 16384
"""The elements of the vector."""
comptime CONV_TILE_SIZE = 256
"""The elements of a tile, of which each block takes one."""
comptime KERNEL_SIZE = 5
"""The weights of the convolution."""
comptime HALO_SIZE = KERNEL_SIZE // 2
"""The elements on each side of one that its sum takes."""
comptime BUFFER_SIZE = CONV_TILE_SIZE + 2 * HALO_SIZE
"""The elements of a tile with those on both sides of it, which a tile by itself does not need."""
comptime BLOCKS_PER_GRID_ASYNC = VECTOR_SIZE // CONV_TILE_SIZE
"""The blocks of the grid."""
comptime THREADS_PER_BLOCK_ASYNC = 256
"""The threads of a block."""
comptime dtype = DType.float32
"""The element type."""
comptime layout_async = row_major[VECTOR_SIZE]()
"""Where the elements of the vector lie."""
comptime AsyncLayoutType = type_of(layout_async)
"""The type of `layout_async`."""
comptime kernel_layout = Layout.row_major(KERNEL_SIZE)
"""Where the weights lie."""


def async_copy_overlap_convolution[
    dtype: DType
](
    output: TileTensor[mut=True, dtype, AsyncLayoutType, MutAnyOrigin],
    input: TileTensor[mut=False, dtype, AsyncLayoutType, MutAnyOrigin],
    kernel: LayoutTensor[dtype, kernel_layout, ImmutAnyOrigin],
):
    """Writes for each element the weighted sum of it and those around it in its tile.

    Parameters:
        dtype: The element type.

    Args:
        output: The sums, shape (VECTOR_SIZE); for the first and the last `HALO_SIZE` elements of a tile, which lack
            neighbours in it, the element itself.
        input: The vector, shape (VECTOR_SIZE).
        kernel: The weights, shape (KERNEL_SIZE).

    Constraints:
        A block has `CONV_TILE_SIZE` threads in x, and there is one for each tile.
    """
    var input_shared = stack_allocation[
        dtype=dtype, address_space=AddressSpace.SHARED
    ](row_major[CONV_TILE_SIZE]())
    var kernel_shared = stack_allocation[
        dtype=dtype, address_space=AddressSpace.SHARED
    ](row_major[KERNEL_SIZE]())
    var local_i = Int(thread_idx.x)

    # FILL ME IN: about 19 lines
    # Begins the copy of the tile: each thread moves one element, past its registers.
    copy_dram_to_sram_async[thread_layout=row_major[THREADS_PER_BLOCK_ASYNC]()](
        input_shared, input.tile[CONV_TILE_SIZE](Int(block_idx.x))
    )

    # Meanwhile the weights are loaded.
    if local_i < KERNEL_SIZE:
        kernel_shared[local_i] = rebind[Scalar[dtype]](kernel[local_i])

    # Each thread waits for its own element, and then for those of the others.
    async_copy_wait_all()
    barrier()

    var result = input_shared[local_i]
    if HALO_SIZE <= local_i < CONV_TILE_SIZE - HALO_SIZE:
        result = 0
        for k in range(KERNEL_SIZE):
            result += input_shared[local_i + k - HALO_SIZE] * kernel_shared[k]
    output[Int(block_idx.x) * CONV_TILE_SIZE + local_i] = result
    # END OF FILL ME IN
