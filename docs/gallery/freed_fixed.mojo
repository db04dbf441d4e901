"""The buffer lives until the work that uses its memory is done."""

from max.gpu.host import DeviceBuffer, DeviceContext


def main() raises:
    with DeviceContext() as ctx:
        var weights = ctx.enqueue_create_buffer[DType.int32](64)
        weights.enqueue_fill(7)
        var first = weights.unsafe_ptr()
        var view = DeviceBuffer[DType.int32](ctx, first, 64, owning=False)
        var other = ctx.enqueue_create_buffer[DType.int32](64)
        other.enqueue_fill(1)
        var copy = ctx.enqueue_create_host_buffer[DType.int32](64)
        ctx.enqueue_copy(copy, view)
        ctx.synchronize()
        print("weight", copy[0], len(other))
        _ = weights^
