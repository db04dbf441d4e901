"""The host waits, then reads."""

from max.gpu.host import DeviceContext


def main() raises:
    with DeviceContext() as ctx:
        var device = ctx.enqueue_create_buffer[DType.int32](64)
        device.enqueue_fill(7)
        var host = ctx.enqueue_create_host_buffer[DType.int32](64)
        host.enqueue_fill(1)
        ctx.synchronize()
        ctx.enqueue_copy(host, device)
        ctx.synchronize()
        print("value", host[63])
