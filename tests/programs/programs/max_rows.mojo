"""MAX's own kernels on the rows of a matrix, each against what the host computes."""

from std.math import exp, sqrt
from std.utils import IndexList

from layout import Coord, TileTensor, row_major
from max.algorithm.functional import elementwise
from max.algorithm.reduction import sum
from max.gpu import WARP_SIZE, lane_id, thread_idx
from max.gpu.host import DeviceBuffer, DeviceContext
from max.gpu.primitives import block, warp
from nn.argmaxmin_gpu import argmax_gpu
from nn.argsort import argsort
from nn.cumsum import cumsum
from nn.normalization import rms_norm_gpu
from nn.softmax import _softmax_gpu
from nn.topk import topk_gpu

comptime ROWS = 4
comptime COLUMNS = 200
comptime BEST = 4
comptime SHAPE = IndexList[2](ROWS, COLUMNS)
comptime THREADS = 128
comptime Buffer = DeviceBuffer[DType.float32]
comptime Values = Pointer[Float32, MutAnyOrigin]


def sixteenths(row: Int, column: Int) -> Int:
    """No two of a row are equal, and sums of them are exact."""
    return (row * 31 + column * 67) % 211 - 105


def value(row: Int, column: Int) -> Float32:
    return Float32(sixteenths(row, column)) / 16


def softmax(ctx: DeviceContext, given: Buffer) raises:
    var result = ctx.enqueue_create_buffer[DType.float32](ROWS * COLUMNS)
    var source = TileTensor(given, row_major(Coord(SHAPE)))

    @__parameter
    @__copy_capture(source)
    def load[width: Int](at: Coord) -> SIMD[DType.float32, width]:
        return source.load[width=width](at)

    _softmax_gpu[DType.float32, 1, 2, load](
        Coord(SHAPE), TileTensor(result, row_major(Coord(SHAPE))), 1, ctx
    )
    var off = Float32(0)
    with result.map_to_host() as values:
        for row in range(ROWS):
            var total = Float32(0)
            for column in range(COLUMNS):
                total += exp(value(row, column))
            for column in range(COLUMNS):
                var share = exp(value(row, column)) / total
                off = max(off, abs(values[row * COLUMNS + column] - share))
    print("softmax", off < 1e-6)


def rms_norm(ctx: DeviceContext, given: Buffer) raises:
    var result = ctx.enqueue_create_buffer[DType.float32](ROWS * COLUMNS)
    var weights = ctx.enqueue_create_buffer[DType.float32](COLUMNS)
    weights.enqueue_fill(2)
    var source = TileTensor(given, row_major(Coord(SHAPE)))
    var target = TileTensor(result, row_major(Coord(SHAPE)))

    @always_inline
    @__parameter
    @__copy_capture(source)
    def load[width: Int](at: Coord) -> SIMD[DType.float32, width]:
        return source.raw_load[width=width](source.layout(at))

    @always_inline
    @__parameter
    @__copy_capture(target)
    def store[
        width: SIMDLength, alignment: Int
    ](at: Coord, value: SIMD[DType.float32, width]) -> None:
        target.raw_store[width=width, alignment=alignment](
            target.layout(at), value
        )

    rms_norm_gpu[
        2,
        load,
        store,
        epsilon=0.001,
        weight_offset=0,
        multiply_before_cast=True,
    ](Coord(SHAPE), TileTensor(weights, row_major(COLUMNS)), ctx)
    var off = Float32(0)
    with result.map_to_host() as values:
        for row in range(ROWS):
            var squares = Float32(0)
            for column in range(COLUMNS):
                squares += value(row, column) ** 2
            var root = sqrt(squares / COLUMNS + 0.001)
            for column in range(COLUMNS):
                var scaled = 2 * value(row, column) / root
                off = max(off, abs(values[row * COLUMNS + column] - scaled))
    print("rms_norm", off < 1e-5)


def argmax(ctx: DeviceContext, given: Buffer) raises:
    var result = ctx.enqueue_create_buffer[DType.int64](ROWS)
    argmax_gpu(
        ctx,
        TileTensor(given, row_major(ROWS, COLUMNS)),
        TileTensor(result, row_major(ROWS, 1)),
    )
    var right = 0
    with result.map_to_host() as places:
        for row in range(ROWS):
            right += Int(greater(row, Int(places[row])) == 0)
    print("argmax", right)


def topk(ctx: DeviceContext, given: Buffer) raises:
    var best = ctx.enqueue_create_buffer[DType.float32](ROWS * BEST)
    var ranked = ctx.enqueue_create_buffer[DType.int32](ROWS * BEST)
    topk_gpu[sampling=False, largest=True](
        ctx,
        BEST,
        TileTensor(given, row_major(ROWS, COLUMNS))
        .as_unsafe_any_origin()
        .as_imm(),
        TileTensor(best, row_major(ROWS, BEST)),
        TileTensor(ranked, row_major(ROWS, BEST)),
    )
    var right = 0
    with best.map_to_host() as values, ranked.map_to_host() as places:
        for at in range(ROWS * BEST):
            var row = at // BEST
            var column = Int(places[at])
            var there = values[at] == value(row, column)
            right += Int(there and greater(row, column) == at % BEST)
    print("topk", right)


def greater(row: Int, column: Int) -> Int:
    """How many of a row are greater than one of it."""
    var count = 0
    for other in range(COLUMNS):
        count += Int(sixteenths(row, other) > sixteenths(row, column))
    return count


def sorted(ctx: DeviceContext, given: Buffer) raises:
    var ranked = ctx.enqueue_create_buffer[DType.int64](COLUMNS)
    var row = given.create_sub_buffer[DType.float32](0, COLUMNS)
    argsort[ascending=True, target="gpu"](
        TileTensor(ranked, row_major(COLUMNS)),
        TileTensor(row, row_major(COLUMNS)),
        ctx,
    )
    var right = 0
    with ranked.map_to_host() as places:
        for at in range(COLUMNS):
            right += Int(greater(0, Int(places[at])) == COLUMNS - 1 - at)
    print("argsort", right)


def running_sums(ctx: DeviceContext, given: Buffer) raises:
    var result = ctx.enqueue_create_buffer[DType.float32](ROWS * COLUMNS)
    cumsum[DType.float32, False, False, axis=1, target="gpu"](
        TileTensor(result, row_major(ROWS, COLUMNS)),
        TileTensor(given, row_major(ROWS, COLUMNS)),
        ctx,
    )
    var right = 0
    with result.map_to_host() as values:
        for row in range(ROWS):
            var total = Float32(0)
            for column in range(COLUMNS):
                total += value(row, column)
                right += Int(values[row * COLUMNS + column] == total)
    print("cumsum", right)


def column_sums(ctx: DeviceContext, given: Buffer) raises:
    var result = ctx.enqueue_create_buffer[DType.float32](COLUMNS)
    var source = TileTensor(given, row_major(ROWS, COLUMNS))
    var target = TileTensor(result, row_major(1, COLUMNS))

    @always_inline
    @__parameter
    @__copy_capture(source)
    def load[width: Int](at: Coord) -> SIMD[DType.float32, width]:
        return source.load[width=width](at)

    @always_inline
    @__parameter
    @__copy_capture(target)
    def store[
        width: SIMDLength
    ](at: Coord, value: SIMD[DType.float32, width]) -> None:
        target.store[width=width](at, value)

    sum[DType.float32, load, store, target="gpu", reduce_dim=0](
        Coord(SHAPE), ctx
    )
    var right = 0
    with result.map_to_host() as values:
        for column in range(COLUMNS):
            var total = Float32(0)
            for row in range(ROWS):
                total += value(row, column)
            right += Int(values[column] == total)
    print("sum", right)


def doubled(ctx: DeviceContext, given: Buffer) raises:
    var result = ctx.enqueue_create_buffer[DType.float32](ROWS * COLUMNS)
    var source = TileTensor(given, row_major(ROWS, COLUMNS))
    var target = TileTensor(result, row_major(ROWS, COLUMNS))

    @always_inline
    def double[width: Int, alignment: Int = 1](at: Coord) {var}:
        target.store(at, source.load[width=width](at) * 2)

    elementwise[4, target="gpu"](double, (ROWS, COLUMNS), ctx)
    var right = 0
    with result.map_to_host() as values:
        for row in range(ROWS):
            for column in range(COLUMNS):
                var there = values[row * COLUMNS + column]
                right += Int(there == 2 * value(row, column))
    print("elementwise", right)


def reduce_together(result: Values, given: Values):
    var own = given[unsafe_offset=Int(thread_idx.x)]
    var of_block = block.sum[block_size=THREADS](own)
    var most = block.max[block_size=THREADS](own)
    var before = block.prefix_sum[block_size=THREADS, exclusive=True](own)
    var of_warp = warp.sum(own)
    if thread_idx.x == THREADS - 1:
        result[unsafe_offset=0] = of_block
        result[unsafe_offset=1] = most
        result[unsafe_offset=2] = before + own
    if thread_idx.x < WARP_SIZE and lane_id() == 0:
        result[unsafe_offset=3] = of_warp


def primitives(ctx: DeviceContext, given: Buffer) raises:
    var result = ctx.enqueue_create_buffer[DType.float32](4)
    ctx.enqueue_function[reduce_together](
        result, given, grid_dim=1, block_dim=THREADS
    )
    var total = Float32(0)
    var most = value(0, 0)
    var first = Float32(0)
    for column in range(THREADS):
        total += value(0, column)
        most = max(most, value(0, column))
    for column in range(ctx.default_device_info.warp_size):
        first += value(0, column)
    with result.map_to_host() as values:
        print("block.sum", values[0] == total)
        print("block.max", values[1] == most)
        print("block.prefix_sum", values[2] == total)
        print("warp.sum", values[3] == first)


def main() raises:
    with DeviceContext() as ctx:
        var given = ctx.enqueue_create_buffer[DType.float32](ROWS * COLUMNS)
        with given.map_to_host() as values:
            for row in range(ROWS):
                for column in range(COLUMNS):
                    values[row * COLUMNS + column] = value(row, column)
        softmax(ctx, given)
        rms_norm(ctx, given)
        argmax(ctx, given)
        topk(ctx, given)
        sorted(ctx, given)
        running_sums(ctx, given)
        column_sums(ctx, given)
        doubled(ctx, given)
        primitives(ctx, given)


# targets: nvidia amd
# > softmax True
# > rms_norm True
# > argmax 4
# > topk 16
# > argsort 200
# > cumsum 800
# > sum 200
# > elementwise 800
# > block.sum True
# > block.max True
# > block.prefix_sum True
# > warp.sum True
