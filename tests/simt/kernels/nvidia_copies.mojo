"""Copies to shared memory, and barriers with phases that tell of them."""

from std.memory import stack_allocation
from layout.tma_async import SharedMemBarrier
from max.gpu import thread_idx
from max.gpu.intrinsics import Scope
from max.gpu.memory import (
    AddressSpace,
    CacheEviction,
    async_copy,
    async_copy_commit_group,
    async_copy_wait_all,
    async_copy_wait_group,
    fence_mbarrier_init,
)
from max.gpu.primitives.cluster import block_rank_in_cluster, cluster_sync
from max.gpu.primitives.grid_controls import (
    launch_dependent_grids,
    wait_on_dependent_grids,
)
from max.gpu.sync import (
    async_copy_arrive,
    barrier,
    mbarrier_arrive,
    mbarrier_init,
    mbarrier_test_wait,
)

comptime Floats = Pointer[Float32, MutAnyOrigin]
comptime SHARED = AddressSpace.SHARED
comptime GLOBAL = AddressSpace.GLOBAL


def copy_widths(output: Floats, input: Floats):
    """Each thread of 32 copies 4, 8 and 16 bytes, and takes a neighbour's."""
    var t = Int(thread_idx.x)
    var tile = stack_allocation[
        32 * 7, Float32, address_space=SHARED, alignment=16
    ]()
    var source = input.unsafe_address_space_cast[GLOBAL]()
    async_copy[16](source.unsafe_offset(4 * t), tile.unsafe_offset(4 * t))
    async_copy[8](source.unsafe_offset(2 * t), tile.unsafe_offset(128 + 2 * t))
    async_copy[4, l2_prefetch=128](
        source.unsafe_offset(t), tile.unsafe_offset(192 + t)
    )
    async_copy_wait_all()
    barrier()
    for i in range(7):
        output[unsafe_offset=7 * t + i] = tile[
            unsafe_offset=(7 * t + i + 7) % 224
        ]


def copy_filled(output: Floats, input: Floats):
    """Thread t of 32 copies t % 5 words of 4 and zeros; every other one 16 bytes or four times 9.
    """
    var t = Int(thread_idx.x)
    var tile = stack_allocation[
        32 * 8, Float32, address_space=SHARED, alignment=16
    ]()
    var source = input.unsafe_address_space_cast[GLOBAL]().unsafe_offset(4 * t)
    async_copy[16, fill=Float32(0)](
        source, tile.unsafe_offset(4 * t), Int32(4 * (t % 5))
    )
    async_copy[16, fill=Float32(9), eviction_policy=CacheEviction.EVICT_FIRST](
        source, tile.unsafe_offset(128 + 4 * t), Int32(16), t % 2 == 0
    )
    async_copy_commit_group()
    async_copy_wait_group(0)
    barrier()
    for i in range(8):
        output[unsafe_offset=8 * t + i] = tile[unsafe_offset=8 * t + i]


def copy_in_stages(output: Floats, input: Floats):
    """Sums 6 rows of 64 floats through three tiles, two copies ahead."""
    var t = Int(thread_idx.x)
    var tiles = stack_allocation[
        3 * 64, Float32, address_space=SHARED, alignment=16
    ]()
    var source = input.unsafe_address_space_cast[GLOBAL]()
    for stage in range(2):
        async_copy[4](
            source.unsafe_offset(64 * stage + t),
            tiles.unsafe_offset(64 * stage + t),
        )
        async_copy_commit_group()
    var total = Float32(0)
    for row in range(6):
        async_copy_wait_group(1)
        barrier()
        total = total * 2 + tiles[unsafe_offset=64 * (row % 3) + 63 - t]
        if row + 2 < 6:
            async_copy[4](
                source.unsafe_offset(64 * (row + 2) + t),
                tiles.unsafe_offset(64 * ((row + 2) % 3) + t),
            )
        async_copy_commit_group()
    output[unsafe_offset=t] = total


def dependent(output: Floats, input: Floats):
    """Lets the next launch begin, and waits for the one before."""
    wait_on_dependent_grids()
    var t = Int(thread_idx.x)
    output[unsafe_offset=t] = input[unsafe_offset=t] + 1
    launch_dependent_grids()


def vector_parts(output: Floats, input: Floats):
    """Parts of vectors, taken out and put in."""
    var t = Int(thread_idx.x)
    var x = input.unsafe_load[width=8](8 * t)
    var y = x.slice[4]() + x.slice[4, offset=4]()
    output.unsafe_store(
        8 * t, y.join(x.slice[4, offset=4]()).insert[offset=2](x.slice[2]())
    )


def phases_by_token(output: Floats, input: Floats):
    """64 threads hand their values round, four times, and wait by what their arrival returns.
    """
    var t = Int(thread_idx.x)
    var tile = stack_allocation[2 * 64, Float32, address_space=SHARED]()
    var bar = stack_allocation[1, Int64, address_space=SHARED, alignment=8]()
    if t == 0:
        mbarrier_init(bar, 64)
    barrier()
    var x = input[unsafe_offset=t]
    for turn in range(4):
        tile[unsafe_offset=64 * (turn % 2) + t] = x
        var token = mbarrier_arrive(bar)
        while not mbarrier_test_wait(bar, token):
            pass
        x = x + tile[unsafe_offset=64 * (turn % 2) + (t + 1) % 64]
    output[unsafe_offset=t] = x


def pipelined(output: Floats, input: Floats):
    """One warp copies 8 rows of 32 into two tiles, the other adds them up; two barriers for each tile.
    """
    var t = Int(thread_idx.x)
    var tiles = stack_allocation[
        2 * 32, Float32, address_space=SHARED, alignment=16
    ]()
    var full = stack_allocation[
        2, SharedMemBarrier, address_space=SHARED, alignment=8
    ]()
    var empty = stack_allocation[
        2, SharedMemBarrier, address_space=SHARED, alignment=8
    ]()
    if t == 0:
        for i in range(2):
            full[unsafe_offset=i].init(32)
            empty[unsafe_offset=i].init(32)
    barrier()
    if t < 32:
        var source = input.unsafe_address_space_cast[GLOBAL]()
        for row in range(8):
            var stage = row % 2
            empty[unsafe_offset=stage].wait(UInt32((row // 2 + 1) % 2))
            async_copy[4](
                source.unsafe_offset(32 * row + t),
                tiles.unsafe_offset(32 * stage + t),
            )
            async_copy_arrive[noinc=True](full.unsafe_offset(stage))
    else:
        var total = Float32(0)
        for row in range(8):
            var stage = row % 2
            full[unsafe_offset=stage].wait(UInt32(row // 2 % 2))
            total = total * 2 + tiles[unsafe_offset=32 * stage + 63 - t]
            _ = empty[unsafe_offset=stage].arrive()
        output[unsafe_offset=t - 32] = total


def cluster_phases(output: Floats, input: Floats):
    """Two blocks of a cluster arrive at each other's barriers, and read what the other wrote before.
    """
    var t = Int(thread_idx.x)
    var rank = Int(block_rank_in_cluster())
    var bar = stack_allocation[
        1, SharedMemBarrier, address_space=SHARED, alignment=8
    ]()
    if t == 0:
        bar[unsafe_offset=0].init(64)
    fence_mbarrier_init()
    cluster_sync()
    output[unsafe_offset=32 * rank + t] = input[unsafe_offset=32 * rank + t] * 3
    bar[unsafe_offset=0].arrive_cluster(0)
    bar[unsafe_offset=0].arrive_cluster(1)
    bar[unsafe_offset=0].wait_acquire[Scope.CLUSTER](0)
    output[unsafe_offset=64 + 32 * rank + t] = output[
        unsafe_offset=32 * (1 - rank) + 31 - t
    ]
    cluster_sync()
