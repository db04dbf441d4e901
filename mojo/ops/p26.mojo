"""The MAX ops of puzzle 26.

The `cpu` branches are sequential references: they exercise the graph and the
marshalling where there is no GPU, and are never the kernel.
"""

from extensibility import InputTensor, _MutableInputTensor, register
from layout import TileTensor
from layout.tile_layout import row_major
from max.gpu.host import DeviceContext
from p26 import (
    DTYPE,
    butterfly_conditional_max,
    butterfly_pair_swap,
    butterfly_parallel_max,
)


@register("p26_pair_swap")
struct PairSwap:
    """Swaps each pair of neighbours."""

    @staticmethod
    def execute[
        target: StaticString,
        size: Int,
        grid_x: Int,
        grid_y: Int,
        block_x: Int,
        block_y: Int,
    ](
        output: _MutableInputTensor[dtype=DTYPE, rank=1, ...],
        input: InputTensor[dtype=DTYPE, rank=1, ...],
        ctx: DeviceContext,
    ) raises:
        comptime if target == "gpu":
            comptime layout = row_major[size]()
            comptime kernel = butterfly_pair_swap[
                type_of(layout), type_of(layout), size
            ]
            ctx.enqueue_function[kernel](
                TileTensor[mut=True](output.unsafe_ptr(), layout),
                TileTensor[mut=False](input.unsafe_ptr(), layout),
                grid_dim=(grid_x, grid_y),
                block_dim=(block_x, block_y),
            )
        else:
            for i in range(size):
                output[i] = input[i ^ 1]


@register("p26_parallel_max")
struct ParallelMax:
    """Gives every lane the maximum of its warp."""

    @staticmethod
    def execute[
        target: StaticString,
        size: Int,
        grid_x: Int,
        grid_y: Int,
        block_x: Int,
        block_y: Int,
    ](
        output: _MutableInputTensor[dtype=DTYPE, rank=1, ...],
        input: InputTensor[dtype=DTYPE, rank=1, ...],
        ctx: DeviceContext,
    ) raises:
        comptime if target == "gpu":
            comptime layout = row_major[size]()
            comptime kernel = butterfly_parallel_max[
                type_of(layout), type_of(layout), size
            ]
            ctx.enqueue_function[kernel](
                TileTensor[mut=True](output.unsafe_ptr(), layout),
                TileTensor[mut=False](input.unsafe_ptr(), layout),
                grid_dim=(grid_x, grid_y),
                block_dim=(block_x, block_y),
            )
        else:
            for first in range(0, size, block_x):
                var largest = input[first]
                for i in range(first, first + block_x):
                    largest = max(largest, input[i])
                for i in range(first, first + block_x):
                    output[i] = largest


@register("p26_conditional_max")
struct ConditionalMax:
    """Gives even lanes their warp's maximum and odd lanes its minimum."""

    @staticmethod
    def execute[
        target: StaticString,
        size: Int,
        grid_x: Int,
        grid_y: Int,
        block_x: Int,
        block_y: Int,
    ](
        output: _MutableInputTensor[dtype=DTYPE, rank=1, ...],
        input: InputTensor[dtype=DTYPE, rank=1, ...],
        ctx: DeviceContext,
    ) raises:
        comptime if target == "gpu":
            comptime layout = row_major[size]()
            comptime kernel = butterfly_conditional_max[
                type_of(layout), type_of(layout), size
            ]
            ctx.enqueue_function[kernel](
                TileTensor[mut=True](output.unsafe_ptr(), layout),
                TileTensor[mut=False](input.unsafe_ptr(), layout),
                grid_dim=(grid_x, grid_y),
                block_dim=(block_x, block_y),
            )
        else:
            # Here a block is a warp, as documented.
            for first in range(0, size, block_x):
                var largest = input[first]
                var smallest = largest
                for i in range(first, first + block_x):
                    largest = max(largest, input[i])
                    smallest = min(smallest, input[i])
                for i in range(first, first + block_x):
                    output[i] = largest if i % 2 == 0 else smallest
