"""A radix sort of a million keys in which every block lacks a barrier."""

from max.gpu import block_idx, global_idx, grid_dim, lane_id, thread_idx, warp_id
from max.gpu.host import DeviceContext
from max.gpu.memory import AddressSpace
from max.gpu.primitives import warp
from max.gpu.sync import barrier
from std.atomic import Atomic
from std.bit import pop_count
from std.memory import stack_allocation

comptime KEYS = 1 << 20
comptime THREADS = 256
comptime BLOCKS = KEYS // THREADS
comptime DIGITS = 16
comptime WARPS = THREADS // 32
comptime In = UnsafePointer[UInt32, ImmutAnyOrigin]
comptime Out = UnsafePointer[UInt32, MutAnyOrigin]


def count_digits(counts: Out, keys: In, shift: UInt32):
    var bins = stack_allocation[
        DIGITS, UInt32, address_space=AddressSpace.SHARED
    ]()
    var t = Int(thread_idx.x)
    if t < DIGITS:
        bins[t] = 0
    barrier()
    var digit = Int((keys[Int(global_idx.x)] >> shift) & 15)
    _ = Atomic.fetch_add(bins + digit, UInt32(1))
    barrier()
    if t < DIGITS:
        counts[t * BLOCKS + Int(block_idx.x)] = bins[t]


def scatter(to: Out, keys: In, starts: In, shift: UInt32):
    var of_warps = stack_allocation[
        WARPS * DIGITS, UInt32, address_space=AddressSpace.SHARED
    ]()
    var key = keys[Int(global_idx.x)]
    var digit = Int((key >> shift) & 15)
    var own = Int(thread_idx.x) // 32
    var lane = UInt32(lane_id())
    var rank = UInt32(0)
    for d in range(DIGITS):
        var votes = warp.vote[DType.uint32](digit == d)
        if digit == d:
            rank = pop_count(votes & ((UInt32(1) << lane) - 1))
        if lane == 0:
            of_warps[own * DIGITS + d] = pop_count(votes)

    # Here a barrier is missing: other warps may not have counted yet.
    for w in range(own):
        rank += of_warps[w * DIGITS + digit]
    var start = starts[digit * BLOCKS + Int(block_idx.x)]
    to[Int(start + rank)] = key


def main() raises:
    with DeviceContext() as ctx:
        var keys = ctx.enqueue_create_buffer[DType.uint32](KEYS)
        var others = ctx.enqueue_create_buffer[DType.uint32](KEYS)
        var counts = ctx.enqueue_create_buffer[DType.uint32](DIGITS * BLOCKS)
        with keys.map_to_host() as host:
            for i in range(KEYS):
                host[i] = UInt32((i * 2654435761) & 0xFFFFFFFF)
        for step in range(8):
            var shift = UInt32(4 * step)
            ctx.enqueue_function[count_digits](
                counts, keys, shift, grid_dim=BLOCKS, block_dim=THREADS
            )
            with counts.map_to_host() as host:
                var before = UInt32(0)
                for i in range(DIGITS * BLOCKS):
                    var here = host[i]
                    host[i] = before
                    before += here
            ctx.enqueue_function[scatter](
                others, keys, counts, shift, grid_dim=BLOCKS, block_dim=THREADS
            )
            ctx.enqueue_copy(keys, others)
        ctx.synchronize()
        print("sorted")
