"""A copy of more bytes than its source has: MAX refuses it."""

from max.gpu.host import DeviceContext


def main() raises:
    with DeviceContext() as ctx:
        var source = ctx.enqueue_create_buffer[DType.int32](3)
        source.enqueue_fill(1)
        var target = ctx.enqueue_create_buffer[DType.int32](4)
        target.enqueue_fill(2)
        ctx.enqueue_copy(target, source)  # finding: error copy-too-short
        ctx.synchronize()
        print("done", len(target))


# status: 1
