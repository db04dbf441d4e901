"""A host that reads before it synchronises.

The copy to the host is only queued when the host looks at its result. Whether the old or the new value is there depends
on who is faster.
"""

from max.gpu.host import DeviceContext


def main() raises:
    with DeviceContext() as ctx:
        var device = ctx.enqueue_create_buffer[DType.int32](64)
        device.enqueue_fill(7)
        var host = ctx.enqueue_create_host_buffer[DType.int32](64)
        host.enqueue_fill(1)
        ctx.synchronize()
        ctx.enqueue_copy(host, device)
        print("value", host[63])
        ctx.synchronize()
