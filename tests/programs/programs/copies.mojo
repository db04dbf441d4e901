"""Copies in all directions: host buffers, device buffers, plain pointers, spans, parts."""

from max.gpu.host import DeviceContext


def main() raises:
    with DeviceContext() as ctx:
        var host = ctx.enqueue_create_host_buffer[DType.float32](4)
        var device = ctx.enqueue_create_buffer[DType.float32](4)
        var other = ctx.enqueue_create_buffer[DType.float32](4)
        var back = ctx.enqueue_create_host_buffer[DType.float32](4)
        ctx.synchronize()
        for i in range(4):
            host[i] = Float32(i + 1)
        ctx.enqueue_copy(device, host)
        ctx.enqueue_copy(other, device)
        other.enqueue_copy_to(back)
        ctx.synchronize()
        print(back)

        var list: List[Float32] = [10, 20, 30, 40]
        ctx.enqueue_copy(device, list.unsafe_ptr())
        list[0] = 11  # the copy has its own by now
        var results: List[Float32] = [0, 0, 0, 0]
        ctx.enqueue_copy(results.unsafe_ptr(), device)
        ctx.synchronize()
        print(results[0], results[1], results[2], results[3])

        device.create_sub_buffer[DType.float32](0, 2).enqueue_copy_to(
            other.create_sub_buffer[DType.float32](2, 2)
        )
        back.enqueue_copy_from(other)
        host.enqueue_copy_from(back)
        ctx.synchronize()
        print(host)


# > HostBuffer([1.0, 2.0, 3.0, 4.0])
# > 10.0 20.0 30.0 40.0
# > HostBuffer([1.0, 2.0, 10.0, 20.0])
