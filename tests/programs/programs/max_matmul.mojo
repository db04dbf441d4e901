"""MAX's products of matrices: tiles by tensor cores, rows, vectors, batches, each against the host's own."""

from layout import Idx, TileTensor, row_major
from linalg.bmm import _batched_matmul_gpu
from linalg.gemv import gemv_gpu
from linalg.matmul.gpu import _matmul_gpu
from max.gpu.host import DeviceBuffer, DeviceContext
from max.gpu.host.info import H100


def left(row: Int, depth: Int) -> Int:
    return (row * 3 + depth * 5) % 7 - 3


def right(column: Int, depth: Int) -> Int:
    return (column * 2 + depth) % 5 - 2


def filled[
    dtype: DType, element: def(Int, Int) thin -> Int
](ctx: DeviceContext, rows: Int, columns: Int) raises -> DeviceBuffer[dtype]:
    var made = ctx.enqueue_create_buffer[dtype](rows * columns)
    with made.map_to_host() as values:
        for at in range(rows * columns):
            values[at] = Scalar[dtype](element(at // columns, at % columns))
    return made


def product[
    dtype: DType, columns: Int, depth: Int
](ctx: DeviceContext, rows: Int) raises:
    """Of a matrix and a transposed one; all numbers are small and whole, so that it is exact.
    """
    var a = filled[dtype, left](ctx, rows, depth)
    var b = filled[dtype, right](ctx, columns, depth)
    var c = ctx.enqueue_create_buffer[dtype](rows * columns)
    _matmul_gpu[use_tensor_core=True, transpose_b=True](
        TileTensor(c, row_major(rows, Idx[columns])),
        TileTensor(a, row_major(rows, Idx[depth])).as_imm(),
        TileTensor(b, row_major(Idx[columns], Idx[depth])).as_imm(),
        ctx,
    )
    print(dtype, rows, columns, depth, exact(c, 1, rows, columns, depth))


def times_vector(ctx: DeviceContext, rows: Int, depth: Int) raises:
    var a = filled[DType.float32, left](ctx, rows, depth)
    var b = filled[DType.float32, right](ctx, 1, depth)
    var c = ctx.enqueue_create_buffer[DType.float32](rows)
    gemv_gpu(
        TileTensor(c, row_major(rows, 1)),
        TileTensor(a, row_major(rows, depth)).as_imm(),
        TileTensor(b, row_major(depth, 1)).as_imm(),
        ctx,
    )
    print("gemv", exact(c, 1, rows, 1, depth))


def batched[
    dtype: DType
](ctx: DeviceContext, count: Int, rows: Int, columns: Int, depth: Int) raises:
    var a = filled[dtype, left](ctx, count * rows, depth)
    var b = filled[dtype, right](ctx, count * columns, depth)
    var c = ctx.enqueue_create_buffer[dtype](count * rows * columns)
    _batched_matmul_gpu[transpose_b=True](
        TileTensor(c, row_major(count, rows, columns)),
        TileTensor(a, row_major(count, rows, depth)).as_imm(),
        TileTensor(b, row_major(count, columns, depth)).as_imm(),
        ctx,
    )
    print("batched", dtype, exact(c, count, rows, columns, depth))


def exact[
    dtype: DType
](
    c: DeviceBuffer[dtype], count: Int, rows: Int, columns: Int, depth: Int
) raises -> Bool:
    var same = True
    with c.map_to_host() as values:
        for row in range(count * rows):
            for column in range(columns):
                var total = 0
                for at in range(depth):
                    total += left(row, at) * right(
                        row // rows * columns + column, at
                    )
                var there = values[row * columns + column]
                same = same and there == Scalar[dtype](total)
    return same


def main() raises:
    with DeviceContext() as ctx:
        product[DType.float32, 8, 16](ctx, 12)
        times_vector(ctx, 24, 64)
        batched[DType.float32](ctx, 2, 8, 12, 16)

        # MAX's products of bfloat16 do not compile for gfx942.
        comptime if ctx.default_device_info == H100:
            batched[DType.bfloat16](ctx, 3, 4, 8, 16)
            product[DType.bfloat16, 128, 128](ctx, 64)
            product[DType.bfloat16, 128, 128](ctx, 1)


# targets: nvidia amd
# natively: the vendor's library multiplies some of these, where it is installed
# > float32 12 8 16 True
# > gemv True
# > batched float32 True
# nvidia> batched bfloat16 True
# nvidia> bfloat16 64 128 128 True
# nvidia> bfloat16 1 128 128 True
