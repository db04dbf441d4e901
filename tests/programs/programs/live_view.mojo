"""The twin of `stale_view`: the owner lives until the work is done."""

from max.gpu.host import DeviceBuffer, DeviceContext


def main() raises:
    with DeviceContext() as ctx:
        var owner = ctx.enqueue_create_buffer[DType.int32](4)
        owner.enqueue_fill(1)
        var view = DeviceBuffer[DType.int32](
            ctx, owner.unsafe_ptr(), 4, owning=False
        )
        var kept = ctx.enqueue_create_buffer[DType.int32](4)
        view.enqueue_fill(2)
        ctx.enqueue_copy(kept, view)
        ctx.synchronize()
        print(kept)
        _ = owner^


# > DeviceBuffer([2, 2, 2, 2])
