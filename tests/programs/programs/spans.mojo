"""Copies from and to spans and lists, of host buffers' parts, and one that waits for no other stream."""

from max.gpu.host import DeviceContext


def main() raises:
    with DeviceContext() as ctx:
        var device = ctx.enqueue_create_buffer[DType.int16](6)
        var list: List[Int16] = [1, 2, 3, 4, 5, 6]
        device.enqueue_copy_from(Span(list))
        var back = List[Int16](length=6, fill=0)
        device.enqueue_copy_to(Span(back))
        ctx.synchronize()
        print(back[0], back[5])

        var host = ctx.enqueue_create_host_buffer[DType.int16](6)
        ctx.synchronize()
        var span = host.as_span()
        for i in range(6):
            span[i] = Int16(10 * i)
        host.create_sub_buffer[DType.int16](2, 3).enqueue_copy_to(
            device.create_sub_buffer[DType.int16](0, 3)
        )
        var other = ctx.enqueue_create_buffer[DType.int16](6)
        ctx.enqueue_copy_no_cross_stream_sync(other, device)
        print(other)
        other.enqueue_copy_to(host.unsafe_ptr())
        ctx.synchronize()
        print(host)


# > 1 6
# > DeviceBuffer([20, 30, 40, 4, 5, 6])
# > HostBuffer([20, 30, 40, 4, 5, 6])
