"""Memory handed on: a pointer taken from one buffer, owned by the next, looked at by a third."""

from max.gpu.host import DeviceBuffer, DeviceContext


def main() raises:
    with DeviceContext() as ctx:
        var first = ctx.enqueue_create_buffer[DType.int32](4)
        first.enqueue_fill(3)
        var pointer = first^.take_ptr()
        var second = DeviceBuffer[DType.int32](ctx, pointer, 4, owning=True)
        var view = DeviceBuffer[DType.int32](ctx, pointer, 2, owning=False)
        view.enqueue_fill(4)
        print(second)
        second.reassign_ownership_to(ctx)
        print(len(view), len(second))


# > DeviceBuffer([4, 4, 3, 3])
# > 2 4
