"""The MAX op of puzzle 34.

The `cpu` branch is a sequential reference: it exercises the graph and the
marshalling where there is no GPU, and is never the kernel.
"""

from extensibility import InputTensor, _MutableInputTensor, register
from layout import TileTensor
from layout.tile_layout import row_major
from max.gpu.host import DeviceContext, Dim
from p34 import DTYPE, cluster_collective_operations


@register("p34_reduction")
struct ClusterReduction:
    """Sums a vector over all the blocks of a cluster."""

    @staticmethod
    def execute[
        target: StaticString,
        size: Int,
        grid_x: Int,
        grid_y: Int,
        block_x: Int,
        block_y: Int,
        cluster_x: Int,
    ](
        output: _MutableInputTensor[dtype=DTYPE, rank=1, ...],
        input: InputTensor[dtype=DTYPE, rank=1, ...],
        temp_storage: _MutableInputTensor[dtype=DTYPE, rank=1, ...],
        ctx: DeviceContext,
    ) raises:
        comptime if target == "gpu":
            comptime out_layout = row_major[1]()
            comptime in_layout = row_major[size]()
            comptime temp_layout = row_major[cluster_x]()
            comptime kernel = cluster_collective_operations[
                type_of(out_layout), type_of(in_layout), type_of(temp_layout)
            ]
            ctx.enqueue_function[kernel](
                TileTensor[mut=True](output.unsafe_ptr(), out_layout),
                TileTensor[mut=False](input.unsafe_ptr(), in_layout),
                TileTensor[mut=True](temp_storage.unsafe_ptr(), temp_layout),
                Int32(size),
                grid_dim=(grid_x, grid_y),
                block_dim=(block_x, block_y),
                cluster_dim=Dim(cluster_x, 1, 1),
            )
        else:
            var total = Scalar[DTYPE](0)
            for block in range(cluster_x):
                var partial = Scalar[DTYPE](0)
                for i in range(block * block_x, (block + 1) * block_x):
                    if i < size:
                        partial += input[i]
                temp_storage[block] = partial
                total += partial
            output[0] = total
