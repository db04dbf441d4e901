"""Kernels with what NVIDIA's GPUs alone have, and a program that runs each of them and prints its output.

The tests compare the kernels with NumPy; on a machine with a GPU, what the program prints there with what it prints
in the simulator.
"""

from std.memory import bitcast, stack_allocation
from std.sys import size_of
from max.gpu import block_idx, lane_id, thread_idx
from max.gpu.compute.mma import (
    WGMMADescriptor,
    ld_matrix,
    mma,
    st_matrix,
    wgmma_async,
    wgmma_commit_group_sync,
    wgmma_fence_aligned,
    wgmma_wait_group_sync,
)
from max.gpu.host import DeviceContext, Dim
from max.gpu.host.nvidia.tma import TensorMapSwizzle
from max.gpu.memory import (
    AddressSpace,
    CacheEviction,
    async_copy,
    async_copy_commit_group,
    async_copy_wait_all,
    async_copy_wait_group,
)
from layout.tma_async import SharedMemBarrier
from max.gpu.intrinsics import Scope
from max.gpu.memory import fence_async_view_proxy, fence_mbarrier_init
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


def mma_of[
    dtype: DType, sum_type: DType, a_size: Int, b_size: Int
](output: Floats, input: Floats, scale: Float32):
    """Each lane holds a_size, b_size and 4 values of three matrices, as they come in the input.
    """
    var lane = Int(thread_idx.x)
    var a = (input.unsafe_load[width=a_size](8 * lane) * scale).cast[dtype]()
    var b = (input.unsafe_load[width=b_size](256 + 4 * lane) * scale).cast[
        dtype
    ]()
    var c = (input.unsafe_load[width=4](384 + 4 * lane) * scale).cast[
        sum_type
    ]()
    var d = SIMD[sum_type, 4](0)
    mma(d, a, b, c)
    output.unsafe_store(4 * lane, d.cast[DType.float32]())


comptime SCALE = Float32(1) / 1024


def mma_tf32(output: Floats, input: Floats):
    """A product of 16 x 8 and 8 x 8."""
    mma_of[DType.float32, DType.float32, 4, 2](output, input, SCALE)


def mma_tf32_4(output: Floats, input: Floats):
    """A product of 16 x 4 and 4 x 8."""
    mma_of[DType.float32, DType.float32, 2, 1](output, input, SCALE)


def mma_half(output: Floats, input: Floats):
    """A product of 16 x 16 and 16 x 8, added up in float32."""
    mma_of[DType.float16, DType.float32, 8, 4](output, input, SCALE)


def mma_half_8(output: Floats, input: Floats):
    """A product of 16 x 8 and 8 x 8, added up in float32."""
    mma_of[DType.float16, DType.float32, 4, 2](output, input, SCALE)


def mma_half_half(output: Floats, input: Floats):
    """A product of 16 x 8 and 8 x 8, added up in float16."""
    mma_of[DType.float16, DType.float16, 4, 2](output, input, SCALE)


def mma_brain(output: Floats, input: Floats):
    """A product of 16 x 16 and 16 x 8 of bfloat16."""
    mma_of[DType.bfloat16, DType.float32, 8, 4](output, input, SCALE)


def mma_brain_8(output: Floats, input: Floats):
    """A product of 16 x 8 and 8 x 8 of bfloat16."""
    mma_of[DType.bfloat16, DType.float32, 4, 2](output, input, SCALE)


def mma_double(output: Floats, input: Floats):
    """A product of 16 x 16 and 16 x 8 of float64."""
    mma_of[DType.float64, DType.float64, 8, 4](output, input, SCALE)


def mma_e4m3(output: Floats, input: Floats):
    """A product of 16 x 32 and 32 x 8 of 8-bit floats."""
    mma_of[DType.float8_e4m3fn, DType.float32, 16, 8](output, input, SCALE)


def mma_e5m2(output: Floats, input: Floats):
    """A product of 16 x 32 and 32 x 8 of the other 8-bit floats."""
    mma_of[DType.float8_e5m2, DType.float32, 16, 8](output, input, SCALE)


def matrices(output: Floats, input: Floats):
    """Loads four 8 x 8 matrices of halves, and two transposed, and stores four, transposed back and forth.
    """
    var lane = Int(thread_idx.x)
    var tile = stack_allocation[
        32 * 8, Float16, address_space=SHARED, alignment=16
    ]()
    var back = stack_allocation[
        32 * 8, Float16, address_space=SHARED, alignment=16
    ]()
    for i in range(8):
        tile[unsafe_offset=8 * lane + i] = (
            input[unsafe_offset=8 * lane + i] * SCALE
        ).cast[DType.float16]()
    barrier()
    var row = tile.unsafe_offset(8 * lane)
    var x = ld_matrix[8](row)
    var y = ld_matrix[4, transpose=True](row)
    output.unsafe_store(12 * lane, x.cast[DType.float32]())
    output.unsafe_store(12 * lane + 8, y.cast[DType.float32]())
    st_matrix[4](back.unsafe_offset(8 * lane), bitcast[DType.float32, 4](x * 2))
    barrier()
    for i in range(2):
        output[unsafe_offset=384 + 2 * lane + i] = back[
            unsafe_offset=8 * lane + i
        ].cast[DType.float32]()


def place[turned: Bool, wide: Int](row: Int, k: Int, rows: Int) -> Int:
    """Where a matrix without swizzle has an element: eight rows of 16 bytes lie together.

    Parameters:
        turned: Whether neighbours have the same place in the depth, not the same row.
        wide: Elements in 16 bytes.
    """
    comptime if turned:
        return k // 8 * rows * 8 + row // 8 * 64 + k % 8 * 8 + row % 8
    else:
        return (
            row // 8 * 8 * wide
            + k // wide * rows * wide
            + row % 8 * wide
            + k % wide
        )


def wgmma_of[
    dtype: DType,
    sum_type: DType = DType.float32,
    a_turned: Bool = False,
    b_turned: Bool = False,
](output: Floats, input: Floats):
    """Four warps multiply 64 rows of 32 bytes and 16 such rows, and add what each thread has: its number.
    """
    comptime WIDE = 16 // size_of[dtype]()
    var t = Int(thread_idx.x)
    var x = stack_allocation[
        64 * 2 * WIDE, Scalar[dtype], address_space=SHARED, alignment=128
    ]()
    var y = stack_allocation[
        16 * 2 * WIDE, Scalar[dtype], address_space=SHARED, alignment=128
    ]()
    if t < 64:
        for k in range(2 * WIDE):
            x[unsafe_offset=place[a_turned, WIDE](t, k, 64)] = (
                input[unsafe_offset=(2 * WIDE * t + k) % 1024] * SCALE
            ).cast[dtype]()
    elif t < 80:
        for k in range(2 * WIDE):
            var row = t - 64
            y[unsafe_offset=place[b_turned, WIDE](row, k, 16)] = (
                input[unsafe_offset=(512 + 2 * WIDE * row + k) % 1024] * SCALE
            ).cast[dtype]()
    fence_async_view_proxy()
    barrier()
    var a = WGMMADescriptor.create[8, 64](x)
    var b = WGMMADescriptor.create[8, 16](y)
    comptime if sum_type == DType.float16:
        # Two sums are in a register.
        var c = bitcast[DType.uint32, 4](SIMD[DType.float16, 8](t))
        wgmma_fence_aligned()
        c = wgmma_async[
            64,
            16,
            2 * WIDE,
            a_type=dtype,
            b_type=dtype,
            accum_type=DType.float16,
        ](a, b, c)
        wgmma_commit_group_sync()
        wgmma_wait_group_sync()
        output.unsafe_store(
            8 * t, bitcast[DType.float16, 8](c).cast[DType.float32]()
        )
    else:
        var c = SIMD[DType.float32, 8](t)
        wgmma_fence_aligned()
        c = wgmma_async[
            64,
            16,
            2 * WIDE,
            a_type=dtype,
            b_type=dtype,
            layout_a="col" if a_turned else "row",
            layout_b="row" if b_turned else "col",
        ](a, b, c)
        wgmma_commit_group_sync()
        wgmma_wait_group_sync()
        output.unsafe_store(8 * t, c)


def wgmma_brain(output: Floats, input: Floats):
    """Of bfloat16, 16 deep."""
    wgmma_of[DType.bfloat16](output, input)


def wgmma_half(output: Floats, input: Floats):
    """Of float16."""
    wgmma_of[DType.float16](output, input)


def wgmma_half_half(output: Floats, input: Floats):
    """Of float16, added up in float16."""
    wgmma_of[DType.float16, DType.float16](output, input)


def wgmma_e4m3(output: Floats, input: Floats):
    """Of 8-bit floats, 32 deep."""
    wgmma_of[DType.float8_e4m3fn](output, input)


def wgmma_e5m2(output: Floats, input: Floats):
    """Of the other 8-bit floats."""
    wgmma_of[DType.float8_e5m2](output, input)


def wgmma_tf32(output: Floats, input: Floats):
    """Of tf32, 8 deep."""
    wgmma_of[DType.float32](output, input)


def wgmma_turned_a(output: Floats, input: Floats):
    """Of bfloat16, and columns of A lie together."""
    wgmma_of[DType.bfloat16, a_turned=True](output, input)


def wgmma_turned_b(output: Floats, input: Floats):
    """Of float16, and rows of B lie together."""
    wgmma_of[DType.float16, b_turned=True](output, input)


def wgmma_turned_both(output: Floats, input: Floats):
    """64 x 16 and 16 x 32 of bfloat16, both turned, swizzled by 64 and by 32 bytes; one half of the sums less the other.
    """
    var t = Int(thread_idx.x)
    var x = stack_allocation[
        64 * 16, BFloat16, address_space=SHARED, alignment=1024
    ]()
    var y = stack_allocation[
        32 * 16, BFloat16, address_space=SHARED, alignment=1024
    ]()
    if t < 96:
        for k in range(16):
            var value = (
                input[unsafe_offset=(37 * t + 5 * k) % 1024] * SCALE
            ).cast[DType.bfloat16]()
            if t < 64:
                var chunk = (t % 32 // 8) ^ (k % 8 // 2)
                var at = t // 32 * 512 + k // 8 * 256 + k % 8 * 32
                x[unsafe_offset=at + chunk * 8 + t % 8] = value
            else:
                var n = t - 64
                var chunk = (n % 16 // 8) ^ (k % 8 // 4)
                var at = n // 16 * 256 + k // 8 * 128 + k % 8 * 16
                y[unsafe_offset=at + chunk * 8 + n % 8] = value
    fence_async_view_proxy()
    barrier()
    var a = WGMMADescriptor.create[32, 64, TensorMapSwizzle.SWIZZLE_64B](x)
    var b = WGMMADescriptor.create[16, 32, TensorMapSwizzle.SWIZZLE_32B](y)
    var c = SIMD[DType.float32, 16](0)
    wgmma_fence_aligned()
    c = wgmma_async[
        64,
        32,
        16,
        a_type=DType.bfloat16,
        b_type=DType.bfloat16,
        layout_a="col",
        layout_b="row",
    ](a, b, c)
    wgmma_commit_group_sync()
    wgmma_wait_group_sync()
    output.unsafe_store(8 * t, c.slice[8]() - c.slice[8, offset=8]())


def wgmma_from_registers[b_turned: Bool](output: Floats, input: Floats):
    """64 x 16 of bfloat16 in registers, and 16 rows of 16; taken from what each thread has: its number.
    """
    var t = Int(thread_idx.x)
    var y = stack_allocation[
        16 * 16, BFloat16, address_space=SHARED, alignment=128
    ]()
    if t < 16:
        for k in range(16):
            y[unsafe_offset=place[b_turned, 8](t, k, 16)] = (
                input[unsafe_offset=512 + 16 * t + k] * SCALE
            ).cast[DType.bfloat16]()
    fence_async_view_proxy()
    barrier()
    var a = SIMD[DType.bfloat16, 8](0)
    comptime for i in range(8):
        var row = t // 32 * 16 + t % 32 // 4 + i // 2 % 2 * 8
        var column = t % 4 * 2 + i % 2 + i // 4 * 8
        a[i] = (input[unsafe_offset=16 * row + column] * SCALE).cast[
            DType.bfloat16
        ]()
    var b = WGMMADescriptor.create[8, 16](y)
    var c = SIMD[DType.float32, 8](t)
    wgmma_fence_aligned()
    c = wgmma_async[
        64,
        16,
        16,
        DType.bfloat16,
        DType.float32,
        8,
        8,
        a_type=DType.bfloat16,
        b_type=DType.bfloat16,
        layout_b="row" if b_turned else "col",
        scale_a=-1,
    ](a, b, c)
    wgmma_commit_group_sync()
    wgmma_wait_group_sync()
    output.unsafe_store(8 * t, c)


def wgmma_held(output: Floats, input: Floats):
    """B by rows."""
    wgmma_from_registers[False](output, input)


def wgmma_held_turned(output: Floats, input: Floats):
    """B by columns."""
    wgmma_from_registers[True](output, input)


def wgmma_mixed(output: Floats, input: Floats):
    """64 x 64 and 8 x 64 of bfloat16, in rows of 128 bytes whose chunks are swizzled.
    """
    var t = Int(thread_idx.x)
    var x = stack_allocation[
        64 * 64, BFloat16, address_space=SHARED, alignment=1024
    ]()
    var y = stack_allocation[
        8 * 64, BFloat16, address_space=SHARED, alignment=1024
    ]()
    if t < 72:
        for k in range(64):
            var row = t % 64
            var at = 64 * row + ((k // 8) ^ (row % 8)) * 8 + k % 8
            var value = (
                input[unsafe_offset=(37 * t + 5 * k) % 1024] * SCALE
            ).cast[DType.bfloat16]()
            if t < 64:
                x[unsafe_offset=at] = value
            else:
                y[unsafe_offset=at] = value
    fence_async_view_proxy()
    barrier()
    var a = WGMMADescriptor.create[64, 1, TensorMapSwizzle.SWIZZLE_128B](x)
    var b = WGMMADescriptor.create[64, 1, TensorMapSwizzle.SWIZZLE_128B](y)
    var c = SIMD[DType.float32, 4](0)
    wgmma_fence_aligned()
    comptime for step in range(4):
        c = wgmma_async[
            64, 8, 16, a_type=DType.bfloat16, b_type=DType.bfloat16
        ](a + 32 * step, b + 32 * step, c)
    wgmma_commit_group_sync()
    wgmma_wait_group_sync()
    output.unsafe_store(4 * t, c)


def main() raises:
    """Runs each kernel once and prints the bits of its output."""
    with DeviceContext() as ctx:
        var input = ctx.enqueue_create_buffer[DType.float32](1024)
        with input.map_to_host() as host:
            var state = UInt32(7)
            for i in range(1024):
                state = state * 1664525 + 1013904223
                host[i] = Float32(Int(state >> 16) - 32768) * 1.1

        @__parameter
        def run[
            kernel: def(Floats, Floats) thin -> None, cluster: Int = 1
        ](name: StaticString, blocks: Int, threads: Int) raises:
            var output = ctx.enqueue_create_buffer[DType.float32](1024)
            output.enqueue_fill(0)
            ctx.enqueue_function[kernel](
                output,
                input,
                grid_dim=blocks,
                block_dim=threads,
                cluster_dim=Dim(cluster),
            )
            with output.map_to_host() as host:
                var line = String(name)
                for i in range(1024):
                    line += " " + String(bitcast[DType.uint32](host[i]))
                print(line)

        run[copy_widths]("copy_widths", 1, 32)
        run[copy_filled]("copy_filled", 1, 32)
        run[copy_in_stages]("copy_in_stages", 1, 64)
        run[dependent]("dependent", 1, 64)
        run[vector_parts]("vector_parts", 1, 32)
        run[mma_tf32]("mma_tf32", 1, 32)
        run[mma_tf32_4]("mma_tf32_4", 1, 32)
        run[mma_half]("mma_half", 1, 32)
        run[mma_half_8]("mma_half_8", 1, 32)
        run[mma_half_half]("mma_half_half", 1, 32)
        run[mma_brain]("mma_brain", 1, 32)
        run[mma_brain_8]("mma_brain_8", 1, 32)
        run[mma_double]("mma_double", 1, 32)
        run[mma_e4m3]("mma_e4m3", 1, 32)
        run[mma_e5m2]("mma_e5m2", 1, 32)
        run[matrices]("matrices", 1, 32)
        run[wgmma_brain]("wgmma_brain", 1, 128)
        run[wgmma_tf32]("wgmma_tf32", 1, 128)
        run[wgmma_half]("wgmma_half", 1, 128)
        run[wgmma_half_half]("wgmma_half_half", 1, 128)
        run[wgmma_e4m3]("wgmma_e4m3", 1, 128)
        run[wgmma_e5m2]("wgmma_e5m2", 1, 128)
        run[wgmma_turned_a]("wgmma_turned_a", 1, 128)
        run[wgmma_turned_b]("wgmma_turned_b", 1, 128)
        run[wgmma_turned_both]("wgmma_turned_both", 1, 128)
        run[wgmma_held]("wgmma_held", 1, 128)
        run[wgmma_held_turned]("wgmma_held_turned", 1, 128)
        run[wgmma_mixed]("wgmma_mixed", 1, 128)
        run[phases_by_token]("phases_by_token", 1, 64)
        run[pipelined]("pipelined", 1, 64)
        run[cluster_phases, cluster=2]("cluster_phases", 2, 32)
