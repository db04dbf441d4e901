"""A product of matrices in tiles."""

from extensibility import InputTensor, OutputTensor, register
from layout.tile_layout import row_major
from layout.tile_tensor import stack_allocation
from max.gpu import block_idx, thread_idx
from max.gpu.host import DeviceContext
from max.gpu.memory import AddressSpace
from max.gpu.sync import barrier

from .common import Values

comptime SIDE = 16
"""Rows and columns of a tile."""
comptime NO_BARRIER = 1
"""A tile is overwritten while others still read it."""
comptime NO_GUARD = 2
"""Threads beyond the edges write."""
comptime OTHER_WAY = 3
"""The second matrix is read by its columns."""
comptime NO_ZEROS = 4
"""A tile's part beyond the edges stays as it was."""
comptime LAST_TILE = 5
"""The last tile, which is not full, is left out."""


def _kernel[
    defect: Int
](output: Values, a: Values, b: Values, m: Int32, n: Int32, k: Int32):
    comptime tile = row_major[SIDE, SIDE]()
    var left = stack_allocation[
        dtype=DType.float32, address_space=AddressSpace.SHARED
    ](tile)
    var right = stack_allocation[
        dtype=DType.float32, address_space=AddressSpace.SHARED
    ](tile)
    var rows, cols, inner = Int(m), Int(n), Int(k)
    var y, x = Int(thread_idx.y), Int(thread_idx.x)
    var row, col = Int(block_idx.y) * SIDE + y, Int(block_idx.x) * SIDE + x
    var tiles = (inner + SIDE - 1) // SIDE
    comptime if defect == LAST_TILE:
        tiles = inner // SIDE
    var sum = Float32(0)
    for step in range(tiles):
        var of_a, of_b = step * SIDE + x, step * SIDE + y
        if row < rows and of_a < inner:
            left[y, x] = a[unsafe_offset=row * inner + of_a]
        elif defect != NO_ZEROS:
            left[y, x] = 0
        if of_b < inner and col < cols:
            var at = of_b * cols + col
            comptime if defect == OTHER_WAY:
                at = col * inner + of_b
            right[y, x] = b[unsafe_offset=at]
        elif defect != NO_ZEROS:
            right[y, x] = 0
        barrier()
        for j in range(SIDE):
            sum += rebind[Float32](left[y, j]) * rebind[Float32](right[j, x])
        comptime if defect != NO_BARRIER:
            barrier()
    if (row < rows and col < cols) or defect == NO_GUARD:
        output[unsafe_offset=row * cols + col] = sum


@register("matmul")
struct Matmul:
    """The op `matmul`."""

    @staticmethod
    def execute[
        target: StaticString, defect: Int
    ](
        output: OutputTensor[dtype=DType.float32, rank=2, ...],
        a: InputTensor[dtype=DType.float32, rank=2, ...],
        b: InputTensor[dtype=DType.float32, rank=2, ...],
        ctx: DeviceContext,
    ) raises:
        """Launches the kernel.

        Parameters:
            target: What it is compiled for.
            defect: What is wrong with it.

        Args:
            output: Shape (m, n).
            a: Shape (m, k).
            b: Shape (k, n).
            ctx: Where they lie.

        Raises:
            The launch fails.
        """
        var m, n, k = a.dim_size(0), b.dim_size(1), a.dim_size(1)
        ctx.enqueue_function[_kernel[defect]](
            output.unsafe_ptr().unsafe_bitcast[Float32](),
            a.unsafe_ptr().unsafe_bitcast[Float32](),
            b.unsafe_ptr().unsafe_bitcast[Float32](),
            Int32(m),
            Int32(n),
            Int32(k),
            grid_dim=((n + SIDE - 1) // SIDE, (m + SIDE - 1) // SIDE),
            block_dim=(SIDE, SIDE),
        )
