"""A histogram: each block counts in shared memory by atomics, then adds its bins to those of all."""

from std.atomic import Atomic
from max.gpu import block_dim, block_idx, grid_dim, thread_idx
from max.gpu.host import DeviceContext
from max.gpu.memory import AddressSpace
from max.gpu.sync import barrier
from std.memory import stack_allocation

comptime BINS = 64
comptime N = 1000


def histogram(
    bins: UnsafePointer[UInt32, MutAnyOrigin],
    values: UnsafePointer[UInt8, ImmutAnyOrigin],
    n: Int32,
):
    var local = stack_allocation[
        BINS, UInt32, address_space=AddressSpace.SHARED
    ]()
    var t = Int(thread_idx.x)
    while t < BINS:
        local[t] = 0
        t += Int(block_dim.x)
    barrier()
    var i = Int(block_idx.x * block_dim.x + thread_idx.x)
    while i < Int(n):
        _ = Atomic.fetch_add(local + Int(values[i]), UInt32(1))
        i += Int(grid_dim.x * block_dim.x)
    barrier()
    t = Int(thread_idx.x)
    while t < BINS:
        if local[t] > 0:
            _ = Atomic.fetch_add(bins + t, local[t])
        t += Int(block_dim.x)


def main() raises:
    with DeviceContext() as ctx:
        var values = ctx.enqueue_create_buffer[DType.uint8](N)
        var bins = ctx.enqueue_create_buffer[DType.uint32](BINS)
        ctx.enqueue_memset(bins, 0)
        with values.map_to_host() as host:
            for i in range(N):
                host[i] = UInt8((i * 7 + i // 3) % BINS)
        ctx.enqueue_function[histogram](
            bins, values, Int32(N), grid_dim=3, block_dim=96
        )
        with bins.map_to_host() as host:
            var total = UInt32(0)
            for i in range(BINS):
                total += host[i]
            print("sum", total, "first", host[0], "last", host[BINS - 1])


# > sum 1000 first 22 last 10
