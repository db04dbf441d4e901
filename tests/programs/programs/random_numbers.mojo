"""Pi by a Monte-Carlo method: Philox in the kernel, a block sum, an atomic addition for each block."""

# On Apple's target Mojo makes other code of Philox: it counts in the second word of its counter, so other numbers come.

from std.atomic import Atomic
from std.random.philox import Random
from max.gpu import global_idx, thread_idx
from max.gpu.host import DeviceContext
from max.gpu.primitives import block

comptime TPB = 128
comptime EACH = 8


def hits(total: UnsafePointer[UInt32, MutAnyOrigin], seed: UInt64):
    var rng = Random(seed=seed, subsequence=UInt64(global_idx.x))
    var inside = Int32(0)
    for _ in range(EACH):
        var u = rng.step_uniform()
        if u[0] * u[0] + u[1] * u[1] < 1:
            inside += 1
        if u[2] * u[2] + u[3] * u[3] < 1:
            inside += 1
    var all = block.sum[block_size=TPB](inside)
    if thread_idx.x == 0:
        _ = Atomic.fetch_add(total, UInt32(all))


def main() raises:
    with DeviceContext() as ctx:
        var total = ctx.enqueue_create_buffer[DType.uint32](1)
        total.enqueue_fill(0)
        ctx.enqueue_function[hits](total, UInt64(42), grid_dim=4, block_dim=TPB)
        with total.map_to_host() as host:
            var n = 4 * TPB * EACH * 2
            print(
                "hits",
                host[0],
                "of",
                n,
                "pi about",
                4.0 * Float64(host[0]) / Float64(n),
            )


# nvidia> hits 6492 of 8192 pi about 3.169921875
# amd> hits 6492 of 8192 pi about 3.169921875
# apple> hits 6382 of 8192 pi about 3.1162109375
