"""Puzzle 26, as a program: butterfly exchange between the lanes of a warp."""

from std.sys import argv

from layout import TileTensor
from layout.tile_layout import row_major
from max.gpu import block_dim, block_idx, lane_id, thread_idx
from max.gpu.host import DeviceBuffer, DeviceContext, HostBuffer
from max.gpu.primitives.warp import WARP_SIZE, shuffle_xor
from std.testing import assert_almost_equal

comptime SIZE = WARP_SIZE
comptime BLOCKS_PER_GRID = (1, 1)
comptime THREADS_PER_BLOCK = (WARP_SIZE, 1)
comptime dtype = DType.float32
comptime layout = row_major[SIZE]()
comptime LayoutType = type_of(layout)
comptime SIZE_2 = 64
comptime BLOCKS_PER_GRID_2 = (2, 1)
comptime layout_2 = row_major[SIZE_2]()
comptime LayoutType_2 = type_of(layout_2)


def butterfly_pair_swap[
    size: Int
](
    output: TileTensor[mut=True, dtype, LayoutType, MutAnyOrigin],
    input: TileTensor[mut=False, dtype, LayoutType, ImmutAnyOrigin],
):
    var global_i = block_dim.x * block_idx.x + thread_idx.x
    if global_i < size:
        output[global_i] = shuffle_xor(input[global_i], 1)


def butterfly_parallel_max[
    size: Int
](
    output: TileTensor[mut=True, dtype, LayoutType, MutAnyOrigin],
    input: TileTensor[mut=False, dtype, LayoutType, ImmutAnyOrigin],
):
    var global_i = block_dim.x * block_idx.x + thread_idx.x
    if global_i < size:
        var largest = input[global_i]
        var offset = WARP_SIZE // 2
        while offset > 0:
            largest = max(largest, shuffle_xor(largest, UInt32(offset)))
            offset //= 2
        output[global_i] = largest


def butterfly_conditional_max[
    size: Int
](
    output: TileTensor[mut=True, dtype, LayoutType_2, MutAnyOrigin],
    input: TileTensor[mut=False, dtype, LayoutType_2, ImmutAnyOrigin],
):
    var global_i = block_dim.x * block_idx.x + thread_idx.x
    var lane = lane_id()
    if global_i < size:
        var largest = input[global_i]
        var smallest = largest
        var offset = WARP_SIZE // 2
        while offset > 0:
            largest = max(largest, shuffle_xor(largest, UInt32(offset)))
            smallest = min(smallest, shuffle_xor(smallest, UInt32(offset)))
            offset //= 2
        output[global_i] = largest if lane % 2 == 0 else smallest


def listed(values: HostBuffer[dtype]) -> String:
    var text = String("[")
    for i in range(len(values)):
        text += (", " if i else "") + String(values[i])
    return text + "]"


def compare(
    result: DeviceBuffer[dtype], expected: HostBuffer[dtype], name: String
) raises:
    with result.map_to_host() as values:
        print("output:", listed(values))
        print("expected:", listed(expected))
        for i in range(len(values)):
            assert_almost_equal(values[i], expected[i], rtol=1e-5)
    print("✅", name, "test passed!")


def pair_swap() raises:
    with DeviceContext() as ctx:
        var input = ctx.enqueue_create_buffer[dtype](SIZE)
        var output = ctx.enqueue_create_buffer[dtype](SIZE)
        output.enqueue_fill(0)
        with input.map_to_host() as values:
            for i in range(SIZE):
                values[i] = Scalar[dtype](i)
        ctx.enqueue_function[butterfly_pair_swap[SIZE]](
            TileTensor(output, layout),
            TileTensor[mut=False, dtype, LayoutType](input, layout),
            grid_dim=BLOCKS_PER_GRID,
            block_dim=THREADS_PER_BLOCK,
        )
        var expected = ctx.enqueue_create_host_buffer[dtype](SIZE)
        ctx.synchronize()
        for i in range(SIZE):
            expected[i] = Scalar[dtype](i ^ 1)
        compare(output, expected, "Butterfly pair swap")


def parallel_max() raises:
    with DeviceContext() as ctx:
        var input = ctx.enqueue_create_buffer[dtype](SIZE)
        var output = ctx.enqueue_create_buffer[dtype](SIZE)
        output.enqueue_fill(0)
        with input.map_to_host() as values:
            for i in range(SIZE):
                values[i] = Scalar[dtype](i * 2)
            values[SIZE - 1] = 1000
        ctx.enqueue_function[butterfly_parallel_max[SIZE]](
            TileTensor(output, layout),
            TileTensor[mut=False, dtype, LayoutType](input, layout),
            grid_dim=BLOCKS_PER_GRID,
            block_dim=THREADS_PER_BLOCK,
        )
        var expected = ctx.enqueue_create_host_buffer[dtype](SIZE)
        expected.enqueue_fill(1000)
        ctx.synchronize()
        compare(output, expected, "Butterfly parallel max")


def conditional_max() raises:
    with DeviceContext() as ctx:
        var input = ctx.enqueue_create_buffer[dtype](SIZE_2)
        var output = ctx.enqueue_create_buffer[dtype](SIZE_2)
        output.enqueue_fill(0)
        var expected = ctx.enqueue_create_host_buffer[dtype](SIZE_2)
        ctx.synchronize()
        var begin: List[Int] = [3, 1, 7, 2, 9, 4, 8, 5, 6]
        with input.map_to_host() as values:
            for i in range(SIZE_2):
                var value = i
                if i < len(begin):
                    value = begin[i]
                elif i < 32:
                    value = i % 10
                values[i] = Scalar[dtype](value)
            for first in range(0, SIZE_2, SIZE):
                var largest = values[first]
                var smallest = values[first]
                for i in range(first, min(first + SIZE, SIZE_2)):
                    largest = max(largest, values[i])
                    smallest = min(smallest, values[i])
                for i in range(first, min(first + SIZE, SIZE_2)):
                    expected[i] = largest if i % 2 == 0 else smallest
        ctx.enqueue_function[butterfly_conditional_max[SIZE_2]](
            TileTensor(output, layout_2),
            TileTensor[mut=False, dtype, LayoutType_2](input, layout_2),
            grid_dim=BLOCKS_PER_GRID_2,
            block_dim=THREADS_PER_BLOCK,
        )
        compare(output, expected, "Butterfly conditional max")


def main() raises:
    print("WARP_SIZE: ", WARP_SIZE)
    if len(argv()) != 2:
        raise Error("one of --pair-swap, --parallel-max, --conditional-max")
    var mode = argv()[1]
    if mode == "--conditional-max":
        print("SIZE_2: ", SIZE_2)
        conditional_max()
        return
    print("SIZE: ", SIZE)
    if mode == "--pair-swap":
        pair_swap()
    elif mode == "--parallel-max":
        parallel_max()
    else:
        raise Error("unknown mode ", mode)


# arguments: --pair-swap
# nvidia> WARP_SIZE:  32
# nvidia> SIZE:  32
# nvidia> output: [1.0, 0.0, 3.0, 2.0, 5.0, 4.0, 7.0, 6.0, 9.0, 8.0, 11.0, 10.0, 13.0, 12.0, 15.0, 14.0, 17.0, 16.0, 19.0, 18.0, 21.0, 20.0, 23.0, 22.0, 25.0, 24.0, 27.0, 26.0, 29.0, 28.0, 31.0, 30.0]
# nvidia> expected: [1.0, 0.0, 3.0, 2.0, 5.0, 4.0, 7.0, 6.0, 9.0, 8.0, 11.0, 10.0, 13.0, 12.0, 15.0, 14.0, 17.0, 16.0, 19.0, 18.0, 21.0, 20.0, 23.0, 22.0, 25.0, 24.0, 27.0, 26.0, 29.0, 28.0, 31.0, 30.0]
# nvidia> ✅ Butterfly pair swap test passed!
# amd> WARP_SIZE:  64
# amd> SIZE:  64
# amd> output: [1.0, 0.0, 3.0, 2.0, 5.0, 4.0, 7.0, 6.0, 9.0, 8.0, 11.0, 10.0, 13.0, 12.0, 15.0, 14.0, 17.0, 16.0, 19.0, 18.0, 21.0, 20.0, 23.0, 22.0, 25.0, 24.0, 27.0, 26.0, 29.0, 28.0, 31.0, 30.0, 33.0, 32.0, 35.0, 34.0, 37.0, 36.0, 39.0, 38.0, 41.0, 40.0, 43.0, 42.0, 45.0, 44.0, 47.0, 46.0, 49.0, 48.0, 51.0, 50.0, 53.0, 52.0, 55.0, 54.0, 57.0, 56.0, 59.0, 58.0, 61.0, 60.0, 63.0, 62.0]
# amd> expected: [1.0, 0.0, 3.0, 2.0, 5.0, 4.0, 7.0, 6.0, 9.0, 8.0, 11.0, 10.0, 13.0, 12.0, 15.0, 14.0, 17.0, 16.0, 19.0, 18.0, 21.0, 20.0, 23.0, 22.0, 25.0, 24.0, 27.0, 26.0, 29.0, 28.0, 31.0, 30.0, 33.0, 32.0, 35.0, 34.0, 37.0, 36.0, 39.0, 38.0, 41.0, 40.0, 43.0, 42.0, 45.0, 44.0, 47.0, 46.0, 49.0, 48.0, 51.0, 50.0, 53.0, 52.0, 55.0, 54.0, 57.0, 56.0, 59.0, 58.0, 61.0, 60.0, 63.0, 62.0]
# amd> ✅ Butterfly pair swap test passed!
# apple> WARP_SIZE:  32
# apple> SIZE:  32
# apple> output: [1.0, 0.0, 3.0, 2.0, 5.0, 4.0, 7.0, 6.0, 9.0, 8.0, 11.0, 10.0, 13.0, 12.0, 15.0, 14.0, 17.0, 16.0, 19.0, 18.0, 21.0, 20.0, 23.0, 22.0, 25.0, 24.0, 27.0, 26.0, 29.0, 28.0, 31.0, 30.0]
# apple> expected: [1.0, 0.0, 3.0, 2.0, 5.0, 4.0, 7.0, 6.0, 9.0, 8.0, 11.0, 10.0, 13.0, 12.0, 15.0, 14.0, 17.0, 16.0, 19.0, 18.0, 21.0, 20.0, 23.0, 22.0, 25.0, 24.0, 27.0, 26.0, 29.0, 28.0, 31.0, 30.0]
# apple> ✅ Butterfly pair swap test passed!
# arguments: --parallel-max
# nvidia> WARP_SIZE:  32
# nvidia> SIZE:  32
# nvidia> output: [1000.0, 1000.0, 1000.0, 1000.0, 1000.0, 1000.0, 1000.0, 1000.0, 1000.0, 1000.0, 1000.0, 1000.0, 1000.0, 1000.0, 1000.0, 1000.0, 1000.0, 1000.0, 1000.0, 1000.0, 1000.0, 1000.0, 1000.0, 1000.0, 1000.0, 1000.0, 1000.0, 1000.0, 1000.0, 1000.0, 1000.0, 1000.0]
# nvidia> expected: [1000.0, 1000.0, 1000.0, 1000.0, 1000.0, 1000.0, 1000.0, 1000.0, 1000.0, 1000.0, 1000.0, 1000.0, 1000.0, 1000.0, 1000.0, 1000.0, 1000.0, 1000.0, 1000.0, 1000.0, 1000.0, 1000.0, 1000.0, 1000.0, 1000.0, 1000.0, 1000.0, 1000.0, 1000.0, 1000.0, 1000.0, 1000.0]
# nvidia> ✅ Butterfly parallel max test passed!
# amd> WARP_SIZE:  64
# amd> SIZE:  64
# amd> output: [1000.0, 1000.0, 1000.0, 1000.0, 1000.0, 1000.0, 1000.0, 1000.0, 1000.0, 1000.0, 1000.0, 1000.0, 1000.0, 1000.0, 1000.0, 1000.0, 1000.0, 1000.0, 1000.0, 1000.0, 1000.0, 1000.0, 1000.0, 1000.0, 1000.0, 1000.0, 1000.0, 1000.0, 1000.0, 1000.0, 1000.0, 1000.0, 1000.0, 1000.0, 1000.0, 1000.0, 1000.0, 1000.0, 1000.0, 1000.0, 1000.0, 1000.0, 1000.0, 1000.0, 1000.0, 1000.0, 1000.0, 1000.0, 1000.0, 1000.0, 1000.0, 1000.0, 1000.0, 1000.0, 1000.0, 1000.0, 1000.0, 1000.0, 1000.0, 1000.0, 1000.0, 1000.0, 1000.0, 1000.0]
# amd> expected: [1000.0, 1000.0, 1000.0, 1000.0, 1000.0, 1000.0, 1000.0, 1000.0, 1000.0, 1000.0, 1000.0, 1000.0, 1000.0, 1000.0, 1000.0, 1000.0, 1000.0, 1000.0, 1000.0, 1000.0, 1000.0, 1000.0, 1000.0, 1000.0, 1000.0, 1000.0, 1000.0, 1000.0, 1000.0, 1000.0, 1000.0, 1000.0, 1000.0, 1000.0, 1000.0, 1000.0, 1000.0, 1000.0, 1000.0, 1000.0, 1000.0, 1000.0, 1000.0, 1000.0, 1000.0, 1000.0, 1000.0, 1000.0, 1000.0, 1000.0, 1000.0, 1000.0, 1000.0, 1000.0, 1000.0, 1000.0, 1000.0, 1000.0, 1000.0, 1000.0, 1000.0, 1000.0, 1000.0, 1000.0]
# amd> ✅ Butterfly parallel max test passed!
# apple> WARP_SIZE:  32
# apple> SIZE:  32
# apple> output: [1000.0, 1000.0, 1000.0, 1000.0, 1000.0, 1000.0, 1000.0, 1000.0, 1000.0, 1000.0, 1000.0, 1000.0, 1000.0, 1000.0, 1000.0, 1000.0, 1000.0, 1000.0, 1000.0, 1000.0, 1000.0, 1000.0, 1000.0, 1000.0, 1000.0, 1000.0, 1000.0, 1000.0, 1000.0, 1000.0, 1000.0, 1000.0]
# apple> expected: [1000.0, 1000.0, 1000.0, 1000.0, 1000.0, 1000.0, 1000.0, 1000.0, 1000.0, 1000.0, 1000.0, 1000.0, 1000.0, 1000.0, 1000.0, 1000.0, 1000.0, 1000.0, 1000.0, 1000.0, 1000.0, 1000.0, 1000.0, 1000.0, 1000.0, 1000.0, 1000.0, 1000.0, 1000.0, 1000.0, 1000.0, 1000.0]
# apple> ✅ Butterfly parallel max test passed!
# arguments: --conditional-max
# nvidia> WARP_SIZE:  32
# nvidia> SIZE_2:  64
# nvidia> output: [9.0, 0.0, 9.0, 0.0, 9.0, 0.0, 9.0, 0.0, 9.0, 0.0, 9.0, 0.0, 9.0, 0.0, 9.0, 0.0, 9.0, 0.0, 9.0, 0.0, 9.0, 0.0, 9.0, 0.0, 9.0, 0.0, 9.0, 0.0, 9.0, 0.0, 9.0, 0.0, 63.0, 32.0, 63.0, 32.0, 63.0, 32.0, 63.0, 32.0, 63.0, 32.0, 63.0, 32.0, 63.0, 32.0, 63.0, 32.0, 63.0, 32.0, 63.0, 32.0, 63.0, 32.0, 63.0, 32.0, 63.0, 32.0, 63.0, 32.0, 63.0, 32.0, 63.0, 32.0]
# nvidia> expected: [9.0, 0.0, 9.0, 0.0, 9.0, 0.0, 9.0, 0.0, 9.0, 0.0, 9.0, 0.0, 9.0, 0.0, 9.0, 0.0, 9.0, 0.0, 9.0, 0.0, 9.0, 0.0, 9.0, 0.0, 9.0, 0.0, 9.0, 0.0, 9.0, 0.0, 9.0, 0.0, 63.0, 32.0, 63.0, 32.0, 63.0, 32.0, 63.0, 32.0, 63.0, 32.0, 63.0, 32.0, 63.0, 32.0, 63.0, 32.0, 63.0, 32.0, 63.0, 32.0, 63.0, 32.0, 63.0, 32.0, 63.0, 32.0, 63.0, 32.0, 63.0, 32.0, 63.0, 32.0]
# nvidia> ✅ Butterfly conditional max test passed!
# amd> WARP_SIZE:  64
# amd> SIZE_2:  64
# amd> output: [63.0, 0.0, 63.0, 0.0, 63.0, 0.0, 63.0, 0.0, 63.0, 0.0, 63.0, 0.0, 63.0, 0.0, 63.0, 0.0, 63.0, 0.0, 63.0, 0.0, 63.0, 0.0, 63.0, 0.0, 63.0, 0.0, 63.0, 0.0, 63.0, 0.0, 63.0, 0.0, 63.0, 0.0, 63.0, 0.0, 63.0, 0.0, 63.0, 0.0, 63.0, 0.0, 63.0, 0.0, 63.0, 0.0, 63.0, 0.0, 63.0, 0.0, 63.0, 0.0, 63.0, 0.0, 63.0, 0.0, 63.0, 0.0, 63.0, 0.0, 63.0, 0.0, 63.0, 0.0]
# amd> expected: [63.0, 0.0, 63.0, 0.0, 63.0, 0.0, 63.0, 0.0, 63.0, 0.0, 63.0, 0.0, 63.0, 0.0, 63.0, 0.0, 63.0, 0.0, 63.0, 0.0, 63.0, 0.0, 63.0, 0.0, 63.0, 0.0, 63.0, 0.0, 63.0, 0.0, 63.0, 0.0, 63.0, 0.0, 63.0, 0.0, 63.0, 0.0, 63.0, 0.0, 63.0, 0.0, 63.0, 0.0, 63.0, 0.0, 63.0, 0.0, 63.0, 0.0, 63.0, 0.0, 63.0, 0.0, 63.0, 0.0, 63.0, 0.0, 63.0, 0.0, 63.0, 0.0, 63.0, 0.0]
# amd> ✅ Butterfly conditional max test passed!
# apple> WARP_SIZE:  32
# apple> SIZE_2:  64
# apple> output: [9.0, 0.0, 9.0, 0.0, 9.0, 0.0, 9.0, 0.0, 9.0, 0.0, 9.0, 0.0, 9.0, 0.0, 9.0, 0.0, 9.0, 0.0, 9.0, 0.0, 9.0, 0.0, 9.0, 0.0, 9.0, 0.0, 9.0, 0.0, 9.0, 0.0, 9.0, 0.0, 63.0, 32.0, 63.0, 32.0, 63.0, 32.0, 63.0, 32.0, 63.0, 32.0, 63.0, 32.0, 63.0, 32.0, 63.0, 32.0, 63.0, 32.0, 63.0, 32.0, 63.0, 32.0, 63.0, 32.0, 63.0, 32.0, 63.0, 32.0, 63.0, 32.0, 63.0, 32.0]
# apple> expected: [9.0, 0.0, 9.0, 0.0, 9.0, 0.0, 9.0, 0.0, 9.0, 0.0, 9.0, 0.0, 9.0, 0.0, 9.0, 0.0, 9.0, 0.0, 9.0, 0.0, 9.0, 0.0, 9.0, 0.0, 9.0, 0.0, 9.0, 0.0, 9.0, 0.0, 9.0, 0.0, 63.0, 32.0, 63.0, 32.0, 63.0, 32.0, 63.0, 32.0, 63.0, 32.0, 63.0, 32.0, 63.0, 32.0, 63.0, 32.0, 63.0, 32.0, 63.0, 32.0, 63.0, 32.0, 63.0, 32.0, 63.0, 32.0, 63.0, 32.0, 63.0, 32.0, 63.0, 32.0]
# apple> ✅ Butterfly conditional max test passed!
