"""The twin of `over_released`: who releases it held it."""

from std.ffi import external_call

from max.gpu.host import DeviceContext


def main() raises:
    with DeviceContext() as ctx:
        var buffer = ctx.enqueue_create_buffer[DType.int32](2)
        buffer.enqueue_fill(1)
        print(buffer)
        external_call["AsyncRT_DeviceBuffer_retain", NoneType](buffer._handle)
        external_call["AsyncRT_DeviceBuffer_release", NoneType](buffer._handle)
        _ = buffer^


# > DeviceBuffer([1, 1])
