"""Instantiates the kernel that fills shared memory, for `mojo build --emit llvm|asm`."""

from dirty_shared import DTYPE, dirty_shared
from layout import TileTensor
from layout.tile_layout import row_major
from max.gpu.host import DeviceContext
from std.sys import get_defined_int

comptime BLOCKS = get_defined_int["hygiene_dirty_shared_grid_x"]()
comptime SHARED_BYTES = get_defined_int["hygiene_dirty_shared_shared_bytes"]()


def main() raises:
    """Enqueues the kernel. Compiled for its device code, never run."""
    with DeviceContext() as ctx:
        var witness = ctx.enqueue_create_buffer[DTYPE](1)
        var pattern = ctx.enqueue_create_buffer[DTYPE](1)
        comptime layout = row_major[BLOCKS]()
        comptime word_layout = row_major[1]()
        comptime kernel = dirty_shared[
            type_of(layout), type_of(word_layout), SHARED_BYTES
        ]
        ctx.enqueue_function[kernel](
            TileTensor[mut=True](witness, layout),
            TileTensor[mut=False](pattern, word_layout),
            grid_dim=1,
            block_dim=1,
        )
