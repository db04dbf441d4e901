"""Products of four warps, with matrices in shared memory or in registers."""

from std.memory import bitcast, stack_allocation
from std.sys import size_of
from max.gpu import thread_idx
from max.gpu.compute.mma import (
    WGMMADescriptor,
    wgmma_async,
    wgmma_commit_group_sync,
    wgmma_fence_aligned,
    wgmma_wait_group_sync,
)
from max.gpu.host.nvidia.tma import TensorMapSwizzle
from max.gpu.memory import AddressSpace, fence_async_view_proxy
from max.gpu.sync import barrier

comptime Floats = Pointer[Float32, MutAnyOrigin]
comptime SHARED = AddressSpace.SHARED
comptime SCALE = Float32(1) / 1024


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
