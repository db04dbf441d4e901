"""A launch that no device allows is an error of Mojo, which the program may catch."""

from max.gpu.host import DeviceContext


def nothing():
    pass


def main() raises:
    var ctx = DeviceContext()
    try:
        ctx.enqueue_function[nothing](grid_dim=1, block_dim=2048)
        ctx.synchronize()
        print("launched")
    except:
        print("refused")
    try:
        _ = ctx.enqueue_create_buffer[DType.float32](4).create_sub_buffer[
            DType.float32
        ](2, 3)
        print("made")
    except:
        print("too long")


# > refused
# > too long
