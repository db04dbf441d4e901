"""Launches that hand memory on: each half to a stream of its own, and in the end an element across the middle."""

from max.gpu import global_idx
from max.gpu.host import DeviceContext

comptime HALF = 64


def fill(values: Pointer[Int32, MutAnyOrigin], first: Int32, value: Int32):
    values[unsafe_offset=Int(first) + Int(global_idx.x)] = value


def take(
    output: Pointer[Int32, MutAnyOrigin],
    values: Pointer[Int32, ImmutAnyOrigin],
    first: Int32,
):
    var i = Int(global_idx.x)
    output[unsafe_offset=i] = values[unsafe_offset=Int(first) + i]


def main() raises:
    var ctx = DeviceContext()
    var values = ctx.enqueue_create_buffer[DType.int32](2 * HALF)
    var near = ctx.enqueue_create_buffer[DType.int32](HALF)
    var far = ctx.enqueue_create_buffer[DType.int32](HALF)
    var filling = ctx.compile_function[fill]()
    var taking = ctx.compile_function[take]()
    var first = ctx.stream()
    ctx.synchronize()
    var second = ctx.create_stream()
    first.enqueue_function(  # finding: error stream-race
        filling, values, Int32(0), Int32(3), grid_dim=2, block_dim=32
    )
    second.enqueue_function(
        filling, values, Int32(HALF), Int32(5), grid_dim=2, block_dim=32
    )
    first.enqueue_function(  # finding: error stream-race
        taking, near, values, Int32(0), grid_dim=2, block_dim=32
    )
    second.enqueue_function(
        taking, far, values, Int32(HALF), grid_dim=2, block_dim=32
    )
    second.synchronize()
    second.enqueue_function(
        filling, values, Int32(HALF - 1), Int32(7), grid_dim=1, block_dim=32
    )
    second.synchronize()
    first.synchronize()
    _ = values^
    with near.map_to_host() as one, far.map_to_host() as other:
        print(one[0], one[HALF - 1], other[0])


# natively: its streams race
# > 3 3 5
