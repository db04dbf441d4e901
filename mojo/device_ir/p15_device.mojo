"""Instantiates the kernel of puzzle 15, for `mojo build --emit llvm|asm`."""

from layout import TileTensor
from layout.tile_layout import row_major
from max.gpu.host import DeviceContext
from p15 import DTYPE, axis_sum
from std.sys import get_defined_int

comptime BATCH = get_defined_int["p15_batch"]()
comptime SIZE = get_defined_int["p15_size"]()


def main() raises:
    """Enqueues the kernel. Compiled for its device code, never run."""
    with DeviceContext() as ctx:
        var output = ctx.enqueue_create_buffer[DTYPE](1)
        var input = ctx.enqueue_create_buffer[DTYPE](1)
        comptime out_layout = row_major[BATCH, 1]()
        comptime in_layout = row_major[BATCH, SIZE]()
        comptime kernel = axis_sum[
            type_of(out_layout), type_of(in_layout), BATCH, SIZE
        ]
        ctx.enqueue_function[kernel](
            TileTensor[mut=True](output, out_layout),
            TileTensor[mut=False](input, in_layout),
            grid_dim=1,
            block_dim=1,
        )
