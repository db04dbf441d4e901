"""A buffer is released behind its owner's back, who releases it too."""

from std.ffi import external_call

from max.gpu.host import DeviceContext


def main() raises:
    with DeviceContext() as ctx:
        var buffer = ctx.enqueue_create_buffer[DType.int32](2)
        buffer.enqueue_fill(1)
        print(buffer)
        external_call["AsyncRT_DeviceBuffer_release", NoneType](buffer._handle)
        _ = buffer^  # finding: error misuse


# natively: it releases a buffer twice
# > DeviceBuffer([1, 1])
