"""Products of matrices that a wave holds in fragments, for the simulator's tests."""

from max.gpu import lane_id
from max.gpu.compute.mma import mma

comptime Floats = Pointer[Float32, MutAnyOrigin]
comptime Halves = Pointer[Float16, MutAnyOrigin]
comptime Brains = Pointer[BFloat16, MutAnyOrigin]
comptime Bytes = Pointer[Int8, MutAnyOrigin]
comptime Ints = Pointer[Int32, MutAnyOrigin]


@always_inline
def product[inputs: DType, output: DType](
    d: Pointer[Scalar[output], MutAnyOrigin],
    a: Pointer[Scalar[inputs], MutAnyOrigin],
    b: Pointer[Scalar[inputs], MutAnyOrigin],
    c: Pointer[Scalar[output], MutAnyOrigin],
):
    """A 16 by 16 product: the upper half of the wave holds the same rows and columns as the lower one."""
    var lane = Int(lane_id())
    var i = lane % 16
    var left = SIMD[inputs, 16]()
    var right = SIMD[inputs, 16]()
    var sum = SIMD[output, 8]()
    comptime for k in range(16):
        left[k] = a[unsafe_offset=16 * i + k]
        right[k] = b[unsafe_offset=16 * k + i]
    comptime for v in range(8):
        sum[v] = c[unsafe_offset=16 * (2 * v + lane // 16) + i]
    mma(sum, left, right, sum)
    comptime for v in range(8):
        d[unsafe_offset=16 * (2 * v + lane // 16) + i] = sum[v]


def half_16(d: Floats, a: Halves, b: Halves, c: Floats):
    product[DType.float16, DType.float32](d, a, b, c)


def brain_16(d: Floats, a: Brains, b: Brains, c: Floats):
    product[DType.bfloat16, DType.float32](d, a, b, c)


def byte_16(d: Ints, a: Bytes, b: Bytes, c: Ints):
    product[DType.int8, DType.int32](d, a, b, c)
