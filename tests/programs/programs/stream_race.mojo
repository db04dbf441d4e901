"""The false twin of `streams`: the second stream does not wait for the first."""

from max.gpu import global_idx
from max.gpu.host import DeviceContext


def add(values: Pointer[Int32, MutAnyOrigin], summand: Int32):
    values[unsafe_offset=Int(global_idx.x)] += summand


def main() raises:
    var ctx = DeviceContext()
    var values = ctx.enqueue_create_buffer[DType.int32](4)
    values.enqueue_fill(2)
    ctx.synchronize()
    var kernel = ctx.compile_function[add]()
    var first = ctx.stream()
    var second = ctx.create_stream()
    first.enqueue_function(kernel, values, Int32(3), grid_dim=1, block_dim=4)  # finding: error stream-race
    second.enqueue_function(kernel, values, Int32(5), grid_dim=1, block_dim=4)
    second.synchronize()
    first.synchronize()
    print(values)


# natively: its streams race
# > DeviceBuffer([10, 10, 10, 10])
