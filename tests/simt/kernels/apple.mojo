"""Products of matrices that a wave holds in fragments, for the simulator's tests."""

from max.gpu.compute.arch.mma_apple import _mma_apple_8x8, apple_mma_load_8x8, apple_mma_store_8x8
from max.gpu.host import DeviceContext

comptime Floats = Pointer[Float32, MutAnyOrigin]
comptime Halves = Pointer[Float16, MutAnyOrigin]
comptime Brains = Pointer[BFloat16, MutAnyOrigin]


@always_inline
def product[dtype: DType](d: Floats, a: Pointer[Scalar[dtype], MutAnyOrigin], b: Pointer[Scalar[dtype], MutAnyOrigin], c: Floats):
    """An 8 by 8 product through the fragments of one SIMD-group."""
    var sum = apple_mma_load_8x8[DType.float32](c, 8)
    _mma_apple_8x8(sum, apple_mma_load_8x8[dtype](a, 8), apple_mma_load_8x8[dtype](b, 8), sum)
    apple_mma_store_8x8[DType.float32](d, 8, sum)


def float_8(d: Floats, a: Floats, b: Floats, c: Floats):
    product[DType.float32](d, a, b, c)


def half_8(d: Floats, a: Halves, b: Halves, c: Floats):
    product[DType.float16](d, a, b, c)


def brain_8(d: Floats, a: Brains, b: Brains, c: Floats):
    product[DType.bfloat16](d, a, b, c)


def main() raises:
    with DeviceContext() as ctx:
        var f = ctx.enqueue_create_buffer[DType.float32](1)
        var h = ctx.enqueue_create_buffer[DType.float16](1)
        var b = ctx.enqueue_create_buffer[DType.bfloat16](1)
        ctx.enqueue_function[float_8](f, f, f, f, grid_dim=1, block_dim=1)
        ctx.enqueue_function[half_8](f, h, h, f, grid_dim=1, block_dim=1)
        ctx.enqueue_function[brain_8](f, b, b, f, grid_dim=1, block_dim=1)
