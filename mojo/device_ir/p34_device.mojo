"""Instantiates the kernel of puzzle 34, for `mojo build --emit llvm|asm`."""

from layout import TileTensor
from layout.tile_layout import row_major
from max.gpu.host import DeviceContext
from p34 import CLUSTER_SIZE, DTYPE, cluster_collective_operations
from std.sys import get_defined_int

comptime SIZE = get_defined_int["p34_reduction_size"]()


def main() raises:
    """Enqueues the kernel. Compiled for its device code, never run."""
    with DeviceContext() as ctx:
        comptime out_layout = row_major[1]()
        comptime in_layout = row_major[SIZE]()
        comptime temp_layout = row_major[CLUSTER_SIZE]()
        comptime kernel = cluster_collective_operations[
            type_of(out_layout), type_of(in_layout), type_of(temp_layout)
        ]
        var output = ctx.enqueue_create_buffer[DTYPE](1)
        var input = ctx.enqueue_create_buffer[DTYPE](1)
        var temp = ctx.enqueue_create_buffer[DTYPE](1)
        ctx.enqueue_function[kernel](
            TileTensor[mut=True](output, out_layout),
            TileTensor[mut=False](input, in_layout),
            TileTensor[mut=True](temp, temp_layout),
            Int32(SIZE),
            grid_dim=1,
            block_dim=1,
        )
