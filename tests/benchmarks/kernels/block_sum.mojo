"""The sum of the 1,024 values of each block, as a tree in shared memory."""

from layout import TileTensor
from layout.tile_layout import row_major
from layout.tile_tensor import stack_allocation
from max.gpu import block_idx, thread_idx
from max.gpu.host import DeviceContext
from max.gpu.memory import AddressSpace
from max.gpu.sync import barrier

comptime THREADS = 1024
"""The threads of a block."""
comptime BLOCKS = 1024
"""The blocks that `main` asks for; the kernel runs with any number."""
comptime IN_LAYOUT = row_major[BLOCKS * THREADS]()
"""The layout of the values."""
comptime OUT_LAYOUT = row_major[BLOCKS]()
"""The layout of the sums."""


def block_sum(
    output: TileTensor[
        mut=True, DType.float32, type_of(OUT_LAYOUT), MutAnyOrigin
    ],
    a: TileTensor[
        mut=False, DType.float32, type_of(IN_LAYOUT), ImmutAnyOrigin
    ],
):
    """Writes the sum of the block's values to `output[block_idx.x]`.

    Args:
        output: The sums, shape (BLOCKS,).
        a: The values, shape (BLOCKS * THREADS,).
    """
    var local_i = Int(thread_idx.x)
    var partial = stack_allocation[
        dtype=DType.float32, address_space=AddressSpace.SHARED
    ](row_major[THREADS]())
    partial[local_i] = a[Int(block_idx.x) * THREADS + local_i]

    barrier()

    var stride = THREADS // 2
    while stride > 0:
        if local_i < stride:
            partial[local_i] += partial[local_i + stride]

        barrier()

        stride //= 2

    if local_i == 0:
        output[Int(block_idx.x)] = partial[0]


def main() raises:
    """Asks for the kernel, so that a compile prints it.

    Raises:
        Error: Never, as nothing runs this.
    """
    with DeviceContext() as ctx:
        var sums = ctx.enqueue_create_buffer[DType.float32](BLOCKS)
        var values = ctx.enqueue_create_buffer[DType.float32](BLOCKS * THREADS)
        ctx.enqueue_function[block_sum](
            TileTensor[mut=True](sums, OUT_LAYOUT),
            TileTensor[mut=False](values, IN_LAYOUT),
            grid_dim=BLOCKS,
            block_dim=THREADS,
        )
