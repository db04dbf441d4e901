"""The MAX op of puzzle 15.

The `cpu` branch is a sequential reference: it exercises the graph and the
marshalling where there is no GPU, and is never the kernel.
"""

from extensibility import InputTensor, _MutableInputTensor, register
from layout import TileTensor
from layout.tile_layout import row_major
from max.gpu.host import DeviceContext
from p15 import DTYPE, axis_sum


@register("p15")
struct AxisSum:
    """Sums each row of a matrix."""

    @staticmethod
    def execute[
        target: StaticString,
        batch: Int,
        size: Int,
        grid_x: Int,
        grid_y: Int,
        block_x: Int,
        block_y: Int,
    ](
        output: _MutableInputTensor[dtype=DTYPE, rank=2, ...],
        a: InputTensor[dtype=DTYPE, rank=2, ...],
        ctx: DeviceContext,
    ) raises:
        comptime if target == "gpu":
            comptime out_layout = row_major[batch, 1]()
            comptime in_layout = row_major[batch, size]()
            comptime kernel = axis_sum[
                type_of(out_layout), type_of(in_layout), batch, size
            ]
            ctx.enqueue_function[kernel](
                TileTensor[mut=True](output.unsafe_ptr(), out_layout),
                TileTensor[mut=False](a.unsafe_ptr(), in_layout),
                grid_dim=(grid_x, grid_y),
                block_dim=(block_x, block_y),
            )
        else:
            for row in range(batch):
                var total = Scalar[DTYPE](0)
                for column in range(size):
                    total += a[row, column]
                output[row, 0] = total
