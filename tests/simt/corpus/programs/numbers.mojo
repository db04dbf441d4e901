"""Kernels on integers, each asserted: sums, scans, sorts, counts, walks of uneven length."""

from std.atomic import Atomic
from max.gpu import block_dim, block_idx, grid_dim, global_idx, lane_id, thread_idx
from max.gpu.host import DeviceContext
from max.gpu.memory import AddressSpace
from max.gpu.primitives import block, warp
from max.gpu.sync import barrier
from std.memory import stack_allocation
from std.testing import assert_equal

comptime TPB = 128
comptime N = 512
comptime In = UnsafePointer[Int32, ImmutAnyOrigin]
comptime Out = UnsafePointer[Int32, MutAnyOrigin]


def sum_blocks(to: Out, a: In):
    var total = block.sum[block_size=TPB](a[Int(global_idx.x)])
    if thread_idx.x == 0:
        _ = Atomic.fetch_add(to, total)


def maximum(to: Out, a: In):
    var best = warp.max(a[Int(global_idx.x)])
    if lane_id() == 0:
        Atomic.max(to, best)


def scan(to: Out, a: In):
    to[Int(global_idx.x)] = block.prefix_sum[block_size=TPB](
        a[Int(global_idx.x)]
    )


def scan_by_hand(to: Out, a: In):
    var tile = stack_allocation[
        TPB, Int32, address_space=AddressSpace.SHARED
    ]()
    var t = Int(thread_idx.x)
    tile[t] = a[Int(global_idx.x)]
    barrier()
    var step = 1
    while step < TPB:
        var before = tile[t - step] if t >= step else Int32(0)
        barrier()
        tile[t] += before
        barrier()
        step *= 2
    to[Int(global_idx.x)] = tile[t]


def sort(to: Out, a: In):
    var tile = stack_allocation[
        TPB, Int32, address_space=AddressSpace.SHARED
    ]()
    var t = Int(thread_idx.x)
    tile[t] = a[Int(global_idx.x)]
    var size = 2
    while size <= TPB:
        var step = size // 2
        while step > 0:
            barrier()
            var other = t ^ step
            if other > t:
                var x = tile[t]
                var y = tile[other]
                if ((t & size) == 0) == (x > y):
                    tile[t] = y
                    tile[other] = x
            step //= 2
        size *= 2
    barrier()
    to[Int(global_idx.x)] = tile[t]


def count(to: Out, a: In):
    var bins = stack_allocation[16, Int32, address_space=AddressSpace.SHARED]()
    if thread_idx.x < 16:
        bins[Int(thread_idx.x)] = 0
    barrier()
    _ = Atomic.fetch_add(bins + Int(a[Int(global_idx.x)] & 15), Int32(1))
    barrier()
    if thread_idx.x < 16:
        _ = Atomic.fetch_add(
            to + Int(thread_idx.x), bins[Int(thread_idx.x)]
        )


def collatz(to: Out, a: In):
    var i = Int(global_idx.x)
    var x = a[i] + 1
    var steps = Int32(0)
    while x > 1:
        x = x // 2 if x % 2 == 0 else 3 * x + 1
        steps += 1
    to[i] = steps


def compact(to: Out, counter: Out, a: In):
    var value = a[Int(global_idx.x)]
    if value % 5 == 0:
        var at = Atomic.fetch_add(counter, Int32(1))
        to[Int(at)] = value


def transpose(to: Out, a: In):
    var tile = stack_allocation[
        16 * 17, Int32, address_space=AddressSpace.SHARED
    ]()
    var x = Int(thread_idx.x)
    var y = Int(thread_idx.y)
    tile[y * 17 + x] = a[
        (Int(block_idx.y) * 16 + y) * 32 + Int(block_idx.x) * 16 + x
    ]
    barrier()
    to[(Int(block_idx.x) * 16 + y) * 16 + x] = tile[x * 17 + y]


def step_life(to: Out, a: In):
    var i = Int(global_idx.x)
    var alive = Int32(0)
    for dy in range(3):
        for dx in range(3):
            if dx != 1 or dy != 1:
                var y = (i // 32 + dy + 15) % 16
                alive += a[y * 32 + (i + dx + 31) % 32]
    to[i] = Int32(1 if alive == 3 or (alive == 2 and a[i] == 1) else 0)


def main() raises:
    with DeviceContext() as ctx:
        var a = ctx.enqueue_create_buffer[DType.int32](N)
        var to = ctx.enqueue_create_buffer[DType.int32](N)
        var counter = ctx.enqueue_create_buffer[DType.int32](1)
        var expected = List[Int](length=N, fill=0)
        with a.map_to_host() as host:
            for i in range(N):
                host[i] = Int32((i * 2654435761) >> 7 & 1023)
        var total = 0
        var best = 0
        var running = List[Int](length=N, fill=0)
        var bins = List[Int](length=16, fill=0)
        with a.map_to_host() as host:
            for i in range(N):
                var value = Int(host[i])
                total += value
                best = max(best, value)
                var before = running[i - 1] if i % TPB else 0
                running[i] = before + value
                bins[value & 15] += 1
        to.enqueue_fill(0)
        ctx.enqueue_function[sum_blocks](to, a, grid_dim=4, block_dim=TPB)
        with to.map_to_host() as host:
            assert_equal(Int(host[0]), total)
        to.enqueue_fill(0)
        ctx.enqueue_function[maximum](to, a, grid_dim=4, block_dim=TPB)
        with to.map_to_host() as host:
            assert_equal(Int(host[0]), best)
        ctx.enqueue_function[scan](to, a, grid_dim=4, block_dim=TPB)
        with to.map_to_host() as host:
            for i in range(N):
                assert_equal(Int(host[i]), running[i])
        ctx.enqueue_function[scan_by_hand](to, a, grid_dim=4, block_dim=TPB)
        with to.map_to_host() as host:
            for i in range(N):
                assert_equal(Int(host[i]), running[i])
        ctx.enqueue_function[sort](to, a, grid_dim=4, block_dim=TPB)
        with to.map_to_host() as host:
            for i in range(N):
                assert_equal(i % TPB == 0 or host[i] >= host[i - 1], True)
        to.enqueue_fill(0)
        ctx.enqueue_function[count](to, a, grid_dim=4, block_dim=TPB)
        with to.map_to_host() as host:
            for i in range(16):
                assert_equal(Int(host[i]), bins[i])
        ctx.enqueue_function[collatz](to, a, grid_dim=4, block_dim=TPB)
        with to.map_to_host() as host, a.map_to_host() as given:
            for i in range(N):
                var x = Int(given[i]) + 1
                var steps = 0
                while x > 1:
                    x = x // 2 if x % 2 == 0 else 3 * x + 1
                    steps += 1
                assert_equal(Int(host[i]), steps)
        counter.enqueue_fill(0)
        to.enqueue_fill(0)
        ctx.enqueue_function[compact](
            to, counter, a, grid_dim=4, block_dim=TPB
        )
        with to.map_to_host() as host, a.map_to_host() as given:
            var found = 0
            for i in range(N):
                found += Int(host[i])
                if given[i] % 5 == 0:
                    found -= Int(given[i])
            assert_equal(found, 0)
        ctx.enqueue_function[transpose](
            to, a, grid_dim=(2, 1), block_dim=(16, 16)
        )
        with to.map_to_host() as host, a.map_to_host() as given:
            for y in range(16):
                for x in range(32):
                    assert_equal(host[x * 16 + y], given[y * 32 + x])
        with a.map_to_host() as host:
            for i in range(N):
                host[i] = host[i] >> 3 & 1
        ctx.enqueue_function[step_life](to, a, grid_dim=4, block_dim=TPB)
        with to.map_to_host() as host, a.map_to_host() as given:
            for i in range(N):
                var alive = 0
                for dy in range(-1, 2):
                    for dx in range(-1, 2):
                        if dx != 0 or dy != 0:
                            var y = (i // 32 + dy + 16) % 16
                            alive += Int(given[y * 32 + (i + dx + 32) % 32])
                var lives = alive == 3 or (alive == 2 and given[i] == 1)
                assert_equal(host[i] == 1, lives)
        print("numbers ok")
