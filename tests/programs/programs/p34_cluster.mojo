"""Puzzle 34, as a program: one sum over all the blocks of a thread block cluster."""

from std.sys import argv
from std.testing import assert_almost_equal

from layout import TileTensor
from layout.tile_layout import row_major
from layout.tile_tensor import stack_allocation
from max.gpu import block_dim, block_idx, thread_idx
from max.gpu.host import DeviceContext, Dim
from max.gpu.memory import AddressSpace
from max.gpu.primitives.cluster import (
    block_rank_in_cluster,
    cluster_sync,
    elect_one_sync,
)
from max.gpu.primitives.warp import WARP_SIZE
from max.gpu.sync import barrier

comptime SIZE = 1024
comptime TPB = 256
comptime CLUSTER_SIZE = 4
comptime dtype = DType.float32
comptime in_layout = row_major[SIZE]()
comptime out_layout = row_major[1]()
comptime cluster_layout = row_major[CLUSTER_SIZE]()
comptime InLayout = type_of(in_layout)
comptime OutLayout = type_of(out_layout)
comptime ClusterLayout = type_of(cluster_layout)


def cluster_collective_operations[
    tpb: Int
](
    output: TileTensor[mut=True, dtype, OutLayout, MutAnyOrigin],
    input: TileTensor[mut=False, dtype, InLayout, MutAnyOrigin],
    temp_storage: TileTensor[mut=True, dtype, ClusterLayout, MutAnyOrigin],
    size_dev: Int32,
):
    var size = Int(size_dev)
    var global_i = block_dim.x * block_idx.x + thread_idx.x
    var local_i = thread_idx.x
    var my_block_rank = Int(block_rank_in_cluster())
    var shared_mem = stack_allocation[
        dtype=dtype, address_space=AddressSpace.SHARED
    ](row_major[tpb]())
    shared_mem[local_i] = input[global_i] if global_i < size else 0
    barrier()
    var stride = tpb // 2
    while stride > 0:
        if local_i < stride:
            shared_mem[local_i] += shared_mem[local_i + stride]
        barrier()
        stride //= 2
    if local_i == 0:
        temp_storage[my_block_rank] = shared_mem[0]
    cluster_sync()
    if my_block_rank == 0 and local_i < WARP_SIZE and elect_one_sync():
        var total = Scalar[dtype](0)
        for i in range(CLUSTER_SIZE):
            total += temp_storage[i]
        output[0] = total


def main() raises:
    if len(argv()) != 2 or argv()[1] != "--reduction":
        raise Error("say --reduction")
    with DeviceContext() as ctx:
        print("Testing Cluster-Wide Reduction")
        print("SIZE:", SIZE, "TPB:", TPB, "CLUSTER_SIZE:", CLUSTER_SIZE)
        var input = ctx.enqueue_create_buffer[dtype](SIZE)
        var output = ctx.enqueue_create_buffer[dtype](1)
        output.enqueue_fill(0)
        var partial = ctx.enqueue_create_buffer[dtype](CLUSTER_SIZE)
        partial.enqueue_fill(0)
        var expected = Scalar[dtype](0)
        with input.map_to_host() as values:
            for i in range(SIZE):
                values[i] = Scalar[dtype](i)
                expected += values[i]
        print("Expected sum:", expected)
        ctx.enqueue_function[cluster_collective_operations[TPB]](
            TileTensor(output, out_layout),
            TileTensor[mut=False, dtype, InLayout](input, in_layout),
            TileTensor(partial, cluster_layout),
            Int32(SIZE),
            grid_dim=(CLUSTER_SIZE, 1),
            block_dim=(TPB, 1),
            cluster_dim=Dim(CLUSTER_SIZE, 1, 1),
        )
        ctx.synchronize()
        with output.map_to_host() as values:
            var result = values[0]
            print("Cluster reduction result:", result)
            print("Expected:", expected)
            print("Error:", abs(result - expected))
            assert_almost_equal(result, expected, atol=10.0)
        print("✅ Passed: Cluster reduction accuracy test")
        print("✅ Cluster-wide collective operations tests passed!")


# arguments: --reduction
# targets: nvidia
# > Testing Cluster-Wide Reduction
# > SIZE: 1024 TPB: 256 CLUSTER_SIZE: 4
# > Expected sum: 523776.0
# > Cluster reduction result: 523776.0
# > Expected: 523776.0
# > Error: 0.0
# > ✅ Passed: Cluster reduction accuracy test
# > ✅ Cluster-wide collective operations tests passed!
