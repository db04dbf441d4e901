"""Two streams share buffers and do not wait for each other: each has elements of its own, or both add by atomics."""

from std.atomic import Atomic

from max.gpu import global_idx
from max.gpu.host import DeviceContext


def every_second(numbers: Pointer[Int32, MutAnyOrigin], first: Int32):
    var i = 2 * Int(global_idx.x) + Int(first)
    numbers[unsafe_offset=i] = Int32(i)


def count(bins: Pointer[Int32, MutAnyOrigin]):
    _ = Atomic.fetch_add(bins.unsafe_offset(Int(global_idx.x) % 2), 1)


def main() raises:
    var ctx = DeviceContext()
    var numbers = ctx.enqueue_create_buffer[DType.int32](8)
    var bins = ctx.enqueue_create_buffer[DType.int32](2)
    bins.enqueue_fill(0)
    ctx.synchronize()
    var write = ctx.compile_function[every_second]()
    var add = ctx.compile_function[count]()
    var first = ctx.create_stream()
    var second = ctx.create_stream()
    first.enqueue_function(write, numbers, Int32(0), grid_dim=1, block_dim=4)
    second.enqueue_function(write, numbers, Int32(1), grid_dim=1, block_dim=4)
    first.enqueue_function(add, bins, grid_dim=1, block_dim=8)
    second.enqueue_function(add, bins, grid_dim=1, block_dim=8)
    first.synchronize()
    second.synchronize()
    print(numbers)
    print(bins)


# > DeviceBuffer([0, 1, 2, 3, 4, 5, 6, 7])
# > DeviceBuffer([8, 8])
