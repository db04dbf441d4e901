"""A fill and a copy through a view of a buffer that is gone: one mistake."""

from max.gpu.host import DeviceBuffer, DeviceContext


def main() raises:
    with DeviceContext() as ctx:
        var gone = ctx.enqueue_create_buffer[DType.int32](4)
        gone.enqueue_fill(1)
        var view = DeviceBuffer[DType.int32](
            ctx, gone.unsafe_ptr(), 4, owning=False
        )
        var kept = ctx.enqueue_create_buffer[DType.int32](4)
        _ = gone^
        view.enqueue_fill(2)  # finding: error use-after-free.host
        ctx.enqueue_copy(kept, view)
        ctx.synchronize()
        print("done", len(kept))


# natively: it uses freed memory
# > done 4
