"""The MAX op of the butterfly maximum at full size.

The `cpu` branch is a sequential reference, never the kernel.
"""

from extensibility import InputTensor, _MutableInputTensor, register
from layout import TileTensor
from layout.tile_layout import row_major
from max.gpu.host import DeviceContext
from row_max import DTYPE, row_max


@register("p26_scale")
struct ScaledRowMax:
    """Finds the maximum of each row of a matrix of any size."""

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
            comptime kernel = row_max[
                type_of(out_layout),
                type_of(in_layout),
                rows,
                columns,
                block_x,
            ]
            if Int(a.unsafe_ptr()) % 16 != 0:
                raise Error("p26_scale: the matrix is not aligned to 16 bytes")
            ctx.enqueue_function[kernel](
                TileTensor[mut=True](output.unsafe_ptr(), out_layout),
                TileTensor[mut=False](a.unsafe_ptr(), in_layout),
                grid_dim=(grid_x, grid_y),
                block_dim=(block_x, block_y),
            )
        else:
            for row in range(rows):
                var largest = a[row, 0]
                for column in range(columns):
                    largest = max(largest, a[row, column])
                output[row, 0] = largest
