"""Fills with values of one, two, four and eight bytes, of whole buffers and of parts."""

from max.gpu.host import DeviceContext


def main() raises:
    with DeviceContext() as ctx:
        var bytes = ctx.enqueue_create_buffer[DType.uint8](5)
        var shorts = ctx.enqueue_create_buffer[DType.int16](4)
        var words = ctx.enqueue_create_buffer[DType.float32](3)
        var longs = ctx.enqueue_create_buffer[DType.int64](2)
        bytes.enqueue_fill(250)
        shorts.enqueue_fill(-2)
        words.enqueue_fill(0.5)
        longs.enqueue_fill(-(1 << 40))
        shorts.create_sub_buffer[DType.int16](1, 2).enqueue_fill(7)
        ctx.enqueue_memset(bytes.create_sub_buffer[DType.uint8](4, 1), 1)
        print(bytes)
        print(shorts)
        print(words)
        print(longs)


# > DeviceBuffer([250, 250, 250, 250, 1])
# > DeviceBuffer([-2, 7, 7, -2])
# > DeviceBuffer([0.5, 0.5, 0.5])
# > DeviceBuffer([-1099511627776, -1099511627776])
