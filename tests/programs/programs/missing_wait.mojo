"""A result that is read before its copy was waited for."""

from max.gpu.host import DeviceContext


def main() raises:
    with DeviceContext() as ctx:
        var device = ctx.enqueue_create_buffer[DType.float32](4)
        device.enqueue_fill(7)
        var host = ctx.enqueue_create_host_buffer[DType.float32](4)
        host.enqueue_fill(1)
        ctx.synchronize()
        ctx.enqueue_copy(host, device)
        var early = host[2]  # finding: error missing-wait.read
        ctx.synchronize()
        print(early, host[2])


# natively: the host reads while the device writes
# > 1.0 7.0
