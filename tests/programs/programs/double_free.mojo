"""The false twin of `ownership`: two buffers own one memory."""

from max.gpu.host import DeviceBuffer, DeviceContext


def main() raises:
    with DeviceContext() as ctx:
        var first = ctx.enqueue_create_buffer[DType.int32](4)
        first.enqueue_fill(3)
        var second = DeviceBuffer[DType.int32](
            ctx, first.unsafe_ptr(), 4, owning=True
        )
        print(second)
        _ = first^
        _ = second^  # finding: error double-free
        ctx.synchronize()


# natively: its memory is freed twice
# > DeviceBuffer([3, 3, 3, 3])
