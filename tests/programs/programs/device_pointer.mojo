"""The host follows a pointer to the device."""

from max.gpu.host import DeviceContext


def main() raises:
    with DeviceContext() as ctx:
        var buffer = ctx.enqueue_create_buffer[DType.int32](2)
        buffer.enqueue_fill(2)
        ctx.synchronize()
        print("before")
        print(buffer.unsafe_ptr()[])  # finding: error device-memory-on-host


# targets: nvidia amd
# status: -11
# > before
