"""A buffer of no length, and a grid with blocks that have nothing to do."""

from max.gpu import global_idx
from max.gpu.host import DeviceContext


def add_one(values: Pointer[Int32, MutAnyOrigin], length: Int32):
    var i = Int(global_idx.x)
    if i < Int(length):
        values[unsafe_offset=i] += 1


def main() raises:
    with DeviceContext() as ctx:
        var none = ctx.enqueue_create_buffer[DType.int32](0)
        print(len(none))
        ctx.enqueue_function[add_one](none, Int32(0), grid_dim=2, block_dim=8)
        var one = ctx.enqueue_create_buffer[DType.int32](1)
        one.enqueue_fill(0)
        ctx.enqueue_function[add_one](one, Int32(1), grid_dim=4, block_dim=8)
        print(one)


# > 0
# > DeviceBuffer([1])
