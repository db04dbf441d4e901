"""The host comes to its buffers before a launch on them is done: too early, or where that launch does not come."""

from max.gpu import global_idx
from max.gpu.host import DeviceContext

comptime HALF = 64


def negated(to: Pointer[Int32, MutAnyOrigin], source: Pointer[Int32, MutAnyOrigin]):
    to[unsafe_offset=Int(global_idx.x)] = -source[unsafe_offset=Int(global_idx.x)]


def main() raises:
    with DeviceContext() as ctx:
        var to = ctx.enqueue_create_host_buffer[DType.int32](2 * HALF)
        var source = ctx.enqueue_create_host_buffer[DType.int32](2 * HALF)
        to.enqueue_fill(1)
        source.enqueue_fill(2)
        ctx.synchronize()
        ctx.enqueue_function[negated](to.unsafe_ptr(), source.unsafe_ptr(), grid_dim=1, block_dim=HALF)
        to[HALF] = 3
        print(source[0])
        ctx.synchronize()
        print(to[0], to[HALF])
        ctx.enqueue_function[negated](to.unsafe_ptr(), source.unsafe_ptr(), grid_dim=1, block_dim=HALF)
        var early = to[HALF - 1]  # finding: error missing-wait.read
        source[5] = 6  # finding: error missing-wait.write
        ctx.synchronize()
        print(early, to[5])
        _ = source^


# natively: the host reads while the device writes
# > 2
# > -2 3
# > -2 -6
