"""What kernels print comes between what the host prints, when it is waited for."""

from max.gpu import block_idx, thread_idx
from max.gpu.host import DeviceContext


def hello(number: Int32):
    if thread_idx.x == 1:
        print("block", block_idx.x, "number", number)


def main() raises:
    with DeviceContext() as ctx:
        print("first")
        ctx.enqueue_function[hello](Int32(-3), grid_dim=1, block_dim=2)
        ctx.synchronize()
        print("between")
        ctx.enqueue_function[hello](Int32(42), grid_dim=1, block_dim=2)
        ctx.synchronize()
        print("last")


# > first
# > block 0 number -3
# > between
# > block 0 number 42
# > last
