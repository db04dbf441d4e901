"""Instantiates the kernels of puzzle 26, for `mojo build --emit llvm|asm`."""

from layout import TileTensor
from layout.tile_layout import row_major
from max.gpu.host import DeviceContext
from p26 import (
    DTYPE,
    butterfly_conditional_max,
    butterfly_pair_swap,
    butterfly_parallel_max,
)
from std.sys import get_defined_int

comptime PAIR_SWAP_SIZE = get_defined_int["p26_pair_swap_size"]()
comptime PARALLEL_MAX_SIZE = get_defined_int["p26_parallel_max_size"]()
comptime CONDITIONAL_MAX_SIZE = get_defined_int["p26_conditional_max_size"]()


def main() raises:
    """Enqueues the kernels. Compiled for its device code, never run."""
    with DeviceContext() as ctx:
        comptime swap_layout = row_major[PAIR_SWAP_SIZE]()
        comptime swap = butterfly_pair_swap[
            type_of(swap_layout), type_of(swap_layout), PAIR_SWAP_SIZE
        ]
        comptime parallel_layout = row_major[PARALLEL_MAX_SIZE]()
        comptime parallel = butterfly_parallel_max[
            type_of(parallel_layout),
            type_of(parallel_layout),
            PARALLEL_MAX_SIZE,
        ]
        comptime conditional_layout = row_major[CONDITIONAL_MAX_SIZE]()
        comptime conditional = butterfly_conditional_max[
            type_of(conditional_layout),
            type_of(conditional_layout),
            CONDITIONAL_MAX_SIZE,
        ]
        var output = ctx.enqueue_create_buffer[DTYPE](1)
        var input = ctx.enqueue_create_buffer[DTYPE](1)
        ctx.enqueue_function[swap](
            TileTensor[mut=True](output, swap_layout),
            TileTensor[mut=False](input, swap_layout),
            grid_dim=1,
            block_dim=1,
        )
        ctx.enqueue_function[parallel](
            TileTensor[mut=True](output, parallel_layout),
            TileTensor[mut=False](input, parallel_layout),
            grid_dim=1,
            block_dim=1,
        )
        ctx.enqueue_function[conditional](
            TileTensor[mut=True](output, conditional_layout),
            TileTensor[mut=False](input, conditional_layout),
            grid_dim=1,
            block_dim=1,
        )
