"""Softmax of each row of a matrix, a block for each."""

from extensibility import InputTensor, OutputTensor, register
from layout.tile_layout import row_major
from layout.tile_tensor import stack_allocation
from max.gpu import block_idx, thread_idx
from max.gpu.host import DeviceContext
from max.gpu.memory import AddressSpace
from max.gpu.sync import barrier
from std.math import exp
from std.utils.numerics import min_finite

from .common import Values

comptime THREADS = 128
"""The threads of a block: a power of two."""
comptime NO_BARRIER = 1
"""Nobody waits for what the others put into shared memory."""
comptime NO_GUARD = 2
"""Threads without an element read one."""
comptime NO_MAXIMUM = 3
"""Powers of the elements themselves, which are too large to be held."""
comptime HALF_FILLED = 4
"""Threads without an element leave their place in shared memory as it was."""
comptime FIRST_ROW = 5
"""Every block writes the first row."""


def _kernel[defect: Int](output: Values, input: Values, cols: Int32):
    var held = stack_allocation[
        dtype=DType.float32, address_space=AddressSpace.SHARED
    ](row_major[THREADS]())
    var i = Int(thread_idx.x)
    var row = Int(block_idx.x) * Int(cols)
    var own = i < Int(cols)

    var value = min_finite[DType.float32]()
    if own or defect == NO_GUARD:
        value = input[unsafe_offset=row + i]
    held[i] = value
    barrier()
    var stride = THREADS // 2
    while stride > 0:
        if i < stride:
            held[i] = max(held[i], held[i + stride])
        barrier()
        stride //= 2
    var largest = rebind[Float32](held[0])
    comptime if defect == NO_MAXIMUM:
        largest = 0

    var power = exp(value - largest) if own else Float32(0)
    var sums = stack_allocation[
        dtype=DType.float32, address_space=AddressSpace.SHARED
    ](row_major[THREADS]())
    if own or defect != HALF_FILLED:
        sums[i] = power
    comptime if defect != NO_BARRIER:
        barrier()
    stride = THREADS // 2
    while stride > 0:
        if i < stride:
            sums[i] = sums[i] + sums[i + stride]
        comptime if defect != NO_BARRIER:
            barrier()
        stride //= 2
    comptime if defect == NO_BARRIER:
        barrier()
    if own:
        var at = (0 if defect == FIRST_ROW else row) + i
        output[unsafe_offset=at] = power / rebind[Float32](sums[0])


@register("softmax")
struct Softmax:
    """The op `softmax`."""

    @staticmethod
    def execute[
        target: StaticString, defect: Int
    ](
        output: OutputTensor[dtype=DType.float32, rank=2, ...],
        input: InputTensor[dtype=DType.float32, rank=2, ...],
        ctx: DeviceContext,
    ) raises:
        """Launches the kernel.

        Parameters:
            target: What it is compiled for.
            defect: What is wrong with it.

        Args:
            output: Shape (rows, cols).
            input: Shape (rows, cols), at most `THREADS` columns.
            ctx: Where they lie.

        Raises:
            The launch fails.
        """
        ctx.enqueue_function[_kernel[defect]](
            output.unsafe_ptr().unsafe_bitcast[Float32](),
            input.unsafe_ptr().unsafe_bitcast[Float32](),
            Int32(input.dim_size(1)),
            grid_dim=input.dim_size(0),
            block_dim=THREADS,
        )
