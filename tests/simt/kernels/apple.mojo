"""Products of matrices that a wave holds in fragments, for the simulator's tests."""

from max.gpu.compute.arch.mma_apple import _mma_apple_8x8, apple_mma_load_8x8, apple_mma_store_8x8

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
