"""Work in two streams, ordered by an event."""

from max.gpu import global_idx
from max.gpu.host import DeviceContext


def multiply(values: Pointer[Int32, MutAnyOrigin], factor: Int32):
    values[unsafe_offset=Int(global_idx.x)] *= factor


def main() raises:
    var ctx = DeviceContext()
    var values = ctx.enqueue_create_buffer[DType.int32](4)
    values.enqueue_fill(2)
    var kernel = ctx.compile_function[multiply]()
    var first = ctx.stream()
    var second = ctx.create_stream()
    first.enqueue_function(kernel, values, Int32(3), grid_dim=1, block_dim=4)
    var done = ctx.create_event()
    first.record_event(done)
    second.enqueue_wait_for(done)
    second.enqueue_function(kernel, values, Int32(5), grid_dim=1, block_dim=4)
    second.synchronize()
    print(values)
    var twice = ctx.create_event()
    twice.synchronize()  # never recorded: reached at once
    second.record_event(twice)
    twice.synchronize()
    print("both are done")


# > DeviceBuffer([30, 30, 30, 30])
# > both are done
