"""A buffer that is freed while a raw pointer goes on.

Mojo frees a buffer after its last use, and a pointer into it is no use. The view below goes on to name memory that the
next buffer may get.
"""

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
