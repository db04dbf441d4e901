"""A kernel that ends itself: the wait for it fails, and on NVIDIA's GPUs the context cannot be released then.

Mojo releases it after its last use, which comes before the handler.
"""

from std.os import abort

from max.gpu import thread_idx
from max.gpu.host import DeviceContext


def stop(limit: Int32):
    if Int32(thread_idx.x) >= limit:
        abort()  # finding: error trap.silent


def main() raises:
    var ctx = DeviceContext()
    ctx.enqueue_function[stop](Int32(4), grid_dim=1, block_dim=4)
    ctx.synchronize()
    print("fine")
    ctx.enqueue_function[stop](Int32(3), grid_dim=1, block_dim=4)
    try:
        ctx.synchronize()
        print("never printed")
    except:
        print("failed")


# nvidia status: -6
# > fine
# amd> failed
# apple> failed
