"""The twin of `assertion`: what is asserted is so."""

from max.gpu.host import DeviceContext


def main() raises:
    with DeviceContext() as ctx:
        var buffer = ctx.enqueue_create_host_buffer[DType.int32](2)
        buffer.enqueue_fill(2)
        ctx.synchronize()
        print(buffer[1])
        assert buffer[1] == 2, "two is not two"
        print("printed")


# defines: ASSERT=all
# > 2
# > printed
