"""The twin of `never_awaited`."""

from max.gpu.host import DeviceContext


def say():
    print("hello")


def main() raises:
    var ctx = DeviceContext()
    print("begins")
    ctx.enqueue_function[say](grid_dim=1, block_dim=1)
    ctx.synchronize()


# > begins
# > hello
