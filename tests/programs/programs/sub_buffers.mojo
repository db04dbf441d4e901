"""Parts of a buffer, of another type too, as arguments and as what keeps the whole alive."""

from max.gpu import global_idx
from max.gpu.host import DeviceBuffer, DeviceContext


def add_one(values: Pointer[Int32, MutAnyOrigin], length: Int32):
    var i = Int(global_idx.x)
    if i < Int(length):
        values[unsafe_offset=i] += 1


def tail(ctx: DeviceContext) raises -> DeviceBuffer[DType.int32]:
    """The whole is gone when this returns, its memory is not."""
    var whole = ctx.enqueue_create_buffer[DType.int32](6)
    whole.enqueue_fill(5)
    return whole.create_sub_buffer[DType.int32](4, 2)


def main() raises:
    with DeviceContext() as ctx:
        var buffer = ctx.enqueue_create_buffer[DType.int32](8)
        buffer.enqueue_fill(0)
        var middle = buffer.create_sub_buffer[DType.int32](2, 4)
        ctx.enqueue_function[add_one](middle, Int32(4), grid_dim=1, block_dim=8)
        var inner = middle.create_sub_buffer[DType.int32](1, 2)
        ctx.enqueue_function[add_one](inner, Int32(2), grid_dim=1, block_dim=8)
        var end = tail(ctx)
        ctx.enqueue_function[add_one](end, Int32(2), grid_dim=1, block_dim=2)
        print(buffer)
        print(end, len(end))
        var bytes = buffer.create_sub_buffer[DType.uint8](12, 4)
        print(bytes)


# > DeviceBuffer([0, 0, 1, 2, 2, 1, 0, 0])
# > DeviceBuffer([6, 6]) 2
# > DeviceBuffer([2, 0, 0, 0])
