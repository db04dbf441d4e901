"""The twin of `device_pointer`: the host looks at a copy."""

from max.gpu.host import DeviceContext


def main() raises:
    with DeviceContext() as ctx:
        var buffer = ctx.enqueue_create_buffer[DType.int32](2)
        buffer.enqueue_fill(2)
        var host = ctx.enqueue_create_host_buffer[DType.int32](2)
        ctx.enqueue_copy(host, buffer)
        ctx.synchronize()
        print("before")
        print(host.unsafe_ptr()[])


# > before
# > 2
