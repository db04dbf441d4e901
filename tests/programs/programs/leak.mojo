"""Memory that a program takes from its buffer and never gives back: told for information, no reason to fail."""

from max.gpu.host import DeviceContext


def main() raises:
    with DeviceContext() as ctx:
        var buffer = ctx.enqueue_create_buffer[DType.int32](4)
        buffer.enqueue_fill(1)
        ctx.synchronize()
        var pointer = buffer^.take_ptr()
        print("taken", Int(pointer) != 0)


# > taken True
