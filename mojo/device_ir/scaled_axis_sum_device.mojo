"""Instantiates the axis sum at full size, for `mojo build --emit llvm|asm`."""

from layout import TileTensor
from layout.tile_layout import row_major
from max.gpu.host import DeviceContext
from axis_sum import DTYPE, axis_sum
from std.sys import get_defined_int

comptime ROWS = get_defined_int["p15_scale_rows"]()
comptime COLUMNS = get_defined_int["p15_scale_columns"]()
comptime THREADS = get_defined_int["p15_scale_block_x"]()


def main() raises:
    """Enqueues the kernel. Compiled for its device code, never run."""
    with DeviceContext() as ctx:
        var output = ctx.enqueue_create_buffer[DTYPE](1)
        var input = ctx.enqueue_create_buffer[DTYPE](1)
        comptime out_layout = row_major[ROWS, 1]()
        comptime in_layout = row_major[ROWS, COLUMNS]()
        comptime kernel = axis_sum[
            type_of(out_layout), type_of(in_layout), ROWS, COLUMNS, THREADS
        ]
        ctx.enqueue_function[kernel](
            TileTensor[mut=True](output, out_layout),
            TileTensor[mut=False](input, in_layout),
            grid_dim=1,
            block_dim=1,
        )
