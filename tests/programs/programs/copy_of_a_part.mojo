"""The twin of `copy_too_short`: the destination is the shorter one, which is allowed."""

from max.gpu.host import DeviceContext


def main() raises:
    with DeviceContext() as ctx:
        var source = ctx.enqueue_create_buffer[DType.int32](4)
        source.enqueue_fill(1)
        var target = ctx.enqueue_create_buffer[DType.int32](3)
        target.enqueue_fill(2)
        ctx.enqueue_copy(target, source)
        print(target)


# > DeviceBuffer([1, 1, 1])
