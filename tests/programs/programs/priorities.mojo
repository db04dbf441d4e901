"""Streams of the highest and the lowest priority, and events of all kinds."""

from max.gpu import global_idx
from max.gpu.host import DeviceContext


def add(values: Pointer[Int32, MutAnyOrigin], summand: Int32):
    values[unsafe_offset=Int(global_idx.x)] += summand


def main() raises:
    var ctx = DeviceContext()
    var bounds = ctx.stream_priority_range()
    print(bounds.greatest <= bounds.least)
    var values = ctx.enqueue_create_buffer[DType.int32](4)
    values.enqueue_fill(1)
    ctx.synchronize()
    var urgent = ctx.create_stream(priority=Int(bounds.greatest))
    var idle = ctx.create_stream(priority=Int(bounds.least))
    var same = idle
    var kernel = ctx.compile_function[add]()
    var again = kernel
    urgent.enqueue_function(kernel, values, Int32(2), grid_dim=1, block_dim=4)
    var first = ctx.create_event[disable_timing=True]()
    urgent.record_event(first)
    var copy = first
    same.enqueue_wait_for(copy)
    idle.enqueue_function(again, values, Int32(4), grid_dim=1, block_dim=4)
    var second = ctx.create_event[blocking_sync=True]()
    idle.record_event(second)
    second.synchronize()
    print(values)


# > True
# > DeviceBuffer([7, 7, 7, 7])
