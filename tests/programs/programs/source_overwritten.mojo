"""The source of a copy is written again before the copy has read it."""

from max.gpu.host import DeviceContext


def main() raises:
    with DeviceContext() as ctx:
        var host = ctx.enqueue_create_host_buffer[DType.int32](2)
        var first = ctx.enqueue_create_buffer[DType.int32](2)
        host[0] = 1
        host[1] = 2
        ctx.enqueue_copy(first, host)
        host[0] = 3  # finding: error missing-wait.write
        ctx.synchronize()
        with first.map_to_host() as values:
            print(values[1])


# natively: the host writes while the device reads
# > 2
