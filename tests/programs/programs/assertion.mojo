"""Mojo's own assertion ends the program."""

from max.gpu.host import DeviceContext


def main() raises:
    with DeviceContext() as ctx:
        var buffer = ctx.enqueue_create_host_buffer[DType.int32](2)
        buffer.enqueue_fill(2)
        ctx.synchronize()
        print(buffer[1])
        assert buffer[1] == 3, "two is not three"  # finding: error aborted
        print("never printed")


# defines: ASSERT=all
# status: -4
# > 2
# > At: {file}:12:26: Assert Error: two is not three
