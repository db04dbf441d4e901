"""The MAX ops of the cluster-wide sum at full size.

The `cpu` branches are sequential references, never the kernel.
"""

from cluster_sum import DTYPE, cluster_sum
from extensibility import InputTensor, _MutableInputTensor, register
from layout import TileTensor
from layout.tile_layout import row_major
from max.gpu.host import DeviceContext, Dim


def _launch[
    size: Int, clusters: Int, cluster_size: Int, threads: Int
](
    output: Pointer[Scalar[DTYPE], MutAnyOrigin],
    input: Pointer[Scalar[DTYPE], ImmutAnyOrigin],
    temp_storage: Pointer[Scalar[DTYPE], MutAnyOrigin],
    ctx: DeviceContext,
) raises:
    comptime out_layout = row_major[clusters]()
    comptime in_layout = row_major[size]()
    comptime temp_layout = row_major[clusters * cluster_size]()
    comptime kernel = cluster_sum[
        type_of(out_layout),
        type_of(in_layout),
        type_of(temp_layout),
        size,
        clusters,
        cluster_size,
        threads,
    ]
    if Int(input) % 16 != 0:
        raise Error("p34_scale: the vector is not aligned to 16 bytes")
    ctx.enqueue_function[kernel](
        TileTensor[mut=True](output, out_layout),
        TileTensor[mut=False](input, in_layout),
        TileTensor[mut=True](temp_storage, temp_layout),
        grid_dim=(clusters * cluster_size, 1),
        block_dim=(threads, 1),
        cluster_dim=Dim(cluster_size, 1, 1),
    )


@register("p34_scale")
struct ScaledClusterSum:
    """Sums each cluster's share of a vector: one launch."""

    @staticmethod
    def execute[
        target: StaticString,
        size: Int,
        clusters: Int,
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
        comptime assert grid_x == clusters * cluster_x and grid_y == 1
        comptime if target == "gpu":
            _launch[size, clusters, cluster_x, block_x](
                output.unsafe_ptr(),
                input.unsafe_ptr(),
                temp_storage.unsafe_ptr(),
                ctx,
            )
        else:
            comptime width = 4
            for block in range(grid_x):
                temp_storage[block] = 0
            for i in range(size):
                var dealt = (
                    i // width if i < size // width * width else i % width
                )
                temp_storage[dealt // block_x % grid_x] += input[i]
            for cluster in range(clusters):
                var total = Scalar[DTYPE](0)
                for peer in range(cluster_x):
                    total += temp_storage[cluster * cluster_x + peer]
                output[cluster] = total


@register("p34_scale_total")
struct ScaledClusterTotal:
    """Sums a whole vector: the launch above, then one cluster for its sums."""

    @staticmethod
    def execute[
        target: StaticString,
        size: Int,
        clusters: Int,
        grid_x: Int,
        grid_y: Int,
        block_x: Int,
        block_y: Int,
        cluster_x: Int,
    ](
        output: _MutableInputTensor[dtype=DTYPE, rank=1, ...],
        input: InputTensor[dtype=DTYPE, rank=1, ...],
        partials: _MutableInputTensor[dtype=DTYPE, rank=1, ...],
        temp_storage: _MutableInputTensor[dtype=DTYPE, rank=1, ...],
        ctx: DeviceContext,
    ) raises:
        comptime assert grid_x == clusters * cluster_x and grid_y == 1
        comptime if target == "gpu":
            comptime if clusters == 1:
                _launch[size, 1, cluster_x, block_x](
                    output.unsafe_ptr(),
                    input.unsafe_ptr(),
                    temp_storage.unsafe_ptr(),
                    ctx,
                )
            else:
                _launch[size, clusters, cluster_x, block_x](
                    partials.unsafe_ptr(),
                    input.unsafe_ptr(),
                    temp_storage.unsafe_ptr(),
                    ctx,
                )
                _launch[clusters, 1, cluster_x, block_x](
                    output.unsafe_ptr(),
                    partials.unsafe_ptr(),
                    temp_storage.unsafe_ptr(),
                    ctx,
                )
        else:
            var total = Scalar[DTYPE](0)
            for i in range(size):
                total += input[i]
            output[0] = total
