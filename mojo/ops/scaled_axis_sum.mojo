"""The MAX op of the axis sum at full size.

The `cpu` branch is a sequential reference, never the kernel.
"""

from axis_sum import DTYPE, axis_sum
from extensibility import InputTensor, _MutableInputTensor, register
from layout import TileTensor
from layout.tile_layout import row_major
from max.gpu.host import DeviceContext


@register("p15_scale")
struct ScaledAxisSum:
    """Sums each row of a matrix of any size."""

    @staticmethod
    def execute[
        target: StaticString,
        rows: Int,
        columns: Int,
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
            comptime out_layout = row_major[rows, 1]()
            comptime in_layout = row_major[rows, columns]()
            comptime kernel = axis_sum[
                type_of(out_layout),
                type_of(in_layout),
                rows,
                columns,
                block_x,
            ]
            if Int(a.unsafe_ptr()) % 16 != 0:
                raise Error("p15_scale: the matrix is not aligned to 16 bytes")
            ctx.enqueue_function[kernel](
                TileTensor[mut=True](output.unsafe_ptr(), out_layout),
                TileTensor[mut=False](a.unsafe_ptr(), in_layout),
                grid_dim=(grid_x, grid_y),
                block_dim=(block_x, block_y),
            )
        else:
            for row in range(rows):
                var total = Scalar[DTYPE](0)
                for column in range(columns):
                    total += a[row, column]
                output[row, 0] = total
