"""Puzzle 15, as a program: the sum of each row of a matrix."""

from std.testing import assert_equal

from layout import TileTensor
from layout.tile_layout import row_major
from layout.tile_tensor import stack_allocation
from max.gpu import block_dim, block_idx, thread_idx
from max.gpu.host import DeviceContext
from max.gpu.memory import AddressSpace
from max.gpu.sync import barrier

comptime TPB = 8
comptime BATCH = 4
comptime SIZE = 6
comptime BLOCKS_PER_GRID = (1, BATCH)
comptime THREADS_PER_BLOCK = (TPB, 1)
comptime dtype = DType.float32
comptime in_layout = row_major[BATCH, SIZE]()
comptime out_layout = row_major[BATCH, 1]()
comptime InLayout = type_of(in_layout)
comptime OutLayout = type_of(out_layout)


def axis_sum(
    output: TileTensor[mut=True, dtype, OutLayout, MutAnyOrigin],
    a: TileTensor[mut=False, dtype, InLayout, ImmutAnyOrigin],
    size_dev: Int32,
):
    var size = Int(size_dev)
    var local_i = thread_idx.x
    var batch = block_idx.y
    var cache = stack_allocation[
        dtype=dtype, address_space=AddressSpace.SHARED
    ](row_major[TPB]())
    if local_i < size:
        cache[local_i] = a[batch, local_i]
    else:
        cache[local_i] = 0
    barrier()
    var stride = TPB // 2
    while stride > 0:
        var addend = Scalar[dtype](0)
        if local_i < stride:
            addend = cache[local_i + stride]
        barrier()
        if local_i < stride:
            cache[local_i] += addend
        barrier()
        stride //= 2
    if local_i == 0:
        output[batch, 0] = cache[0]


def main() raises:
    with DeviceContext() as ctx:
        var out = ctx.enqueue_create_buffer[dtype](BATCH)
        out.enqueue_fill(0)
        var inp = ctx.enqueue_create_buffer[dtype](BATCH * SIZE)
        with inp.map_to_host() as inp_host:
            for i in range(BATCH * SIZE):
                inp_host[i] = Scalar[dtype](i)
        ctx.enqueue_function[axis_sum](
            TileTensor(out, out_layout),
            TileTensor[mut=False, dtype, InLayout](inp, in_layout),
            Int32(SIZE),
            grid_dim=BLOCKS_PER_GRID,
            block_dim=THREADS_PER_BLOCK,
        )
        var expected = ctx.enqueue_create_host_buffer[dtype](BATCH)
        ctx.synchronize()
        for row in range(BATCH):
            expected[row] = 0
            for col in range(SIZE):
                expected[row] += Scalar[dtype](row * SIZE + col)
        with out.map_to_host() as out_host:
            print("out:", out)
            print("expected:", expected)
            for row in range(BATCH):
                assert_equal(out_host[row], expected[row])


# > out: DeviceBuffer([15.0, 51.0, 87.0, 123.0])
# > expected: HostBuffer([15.0, 51.0, 87.0, 123.0])
