"""Products of matrices that a wave holds in fragments, for the simulator's tests."""

from layout import Layout, LayoutTensor
from layout.tensor_core import TensorCore
from layout.tile_layout import row_major
from layout.tile_tensor import stack_allocation
from max.gpu import lane_id, thread_idx
from max.gpu.compute.mma import mma
from max.gpu.intrinsics import AMDBufferResource
from max.gpu.memory import AddressSpace
from max.gpu.sync import barrier, s_waitcnt
from std.utils.index import Index

comptime Floats = Pointer[Float32, MutAnyOrigin]
comptime Halves = Pointer[Float16, MutAnyOrigin]
comptime Brains = Pointer[BFloat16, MutAnyOrigin]
comptime Eights = Pointer[Scalar[DType.float8_e4m3fnuz], MutAnyOrigin]
comptime Ints = Pointer[Int32, MutAnyOrigin]


@always_inline
def product[dtype: DType, side: Int, deep: Int, each: Int](
    d: Floats, a: Pointer[Scalar[dtype], MutAnyOrigin], b: Pointer[Scalar[dtype], MutAnyOrigin], c: Floats
):
    """A product of one wave: a lane holds some of a row of A, of a column of B and of a column of the sum."""
    comptime count = side * side // 64
    var lane = Int(lane_id())
    var i = lane % side
    var group = lane // side
    var left = SIMD[dtype, each]()
    var right = SIMD[dtype, each]()
    var sum = SIMD[DType.float32, count]()
    comptime for j in range(each):
        left[j] = a[unsafe_offset=deep * i + group * each + j]
        right[j] = b[unsafe_offset=side * (group * each + j) + i]
    comptime for v in range(count):
        sum[v] = c[unsafe_offset=side * (v // 4 * 8 + 4 * group + v % 4) + i]
    mma(sum, left, right, sum)
    comptime for v in range(count):
        d[unsafe_offset=side * (v // 4 * 8 + 4 * group + v % 4) + i] = sum[v]


def half_16(d: Floats, a: Halves, b: Halves, c: Floats):
    product[DType.float16, 16, 16, 4](d, a, b, c)


def half_32(d: Floats, a: Halves, b: Halves, c: Floats):
    product[DType.float16, 32, 8, 4](d, a, b, c)


def brain_16(d: Floats, a: Brains, b: Brains, c: Floats):
    product[DType.bfloat16, 16, 16, 4](d, a, b, c)


def brain_32(d: Floats, a: Brains, b: Brains, c: Floats):
    product[DType.bfloat16, 32, 8, 4](d, a, b, c)


def float_16(d: Floats, a: Floats, b: Floats, c: Floats):
    product[DType.float32, 16, 4, 1](d, a, b, c)


def eight_16(d: Floats, a: Eights, b: Eights, c: Floats):
    product[DType.float8_e4m3fnuz, 16, 32, 8](d, a, b, c)


@always_inline
def by_library[dtype: DType, deep: Int](
    d: Floats, a: Pointer[Scalar[dtype], MutAnyOrigin], b: Pointer[Scalar[dtype], MutAnyOrigin], c: Floats
):
    """The same through the layout library, which knows by itself who holds what."""
    var core = TensorCore[DType.float32, dtype, Index(16, 16, deep)]()
    var left = LayoutTensor[dtype, Layout.row_major(16, deep), MutAnyOrigin](a)
    var right = LayoutTensor[dtype, Layout.row_major(deep, 16), MutAnyOrigin](b)
    var before = LayoutTensor[DType.float32, Layout.row_major(16, 16), MutAnyOrigin](c)
    var after = LayoutTensor[DType.float32, Layout.row_major(16, 16), MutAnyOrigin](d)
    core.store_d(after, core.mma_op(core.load_a(left), core.load_b(right), core.load_c(before)))


def library_float_16(d: Floats, a: Floats, b: Floats, c: Floats):
    by_library[DType.float32, 4](d, a, b, c)


def library_half_16(d: Floats, a: Halves, b: Halves, c: Floats):
    by_library[DType.float16, 16](d, a, b, c)


def library_brain_16(d: Floats, a: Brains, b: Brains, c: Floats):
    by_library[DType.bfloat16, 16](d, a, b, c)


def buffers(output: Floats, input: Floats, count: Int32):
    """Loads and stores by a descriptor: out of its bounds a load gives 0, and a store does nothing."""
    var i = Int32(thread_idx.x)
    var source = AMDBufferResource(input, Int(count))
    var target = AMDBufferResource(output, Int(count))
    var four = source.load[DType.float32, 4](4 * i)
    target.store[DType.float32, 4](4 * i, four * 2)


def to_shared(output: Floats, input: Floats):
    """A copy to shared memory that is waited for."""
    var i = Int(thread_idx.x)
    var shared = stack_allocation[
        dtype=DType.float32, address_space=AddressSpace.SHARED
    ](row_major[64]())
    var source = AMDBufferResource(input, 64)
    source.load_to_lds[DType.float32, width=1](Int32(i), shared.ptr)
    s_waitcnt[vmcnt=0]()
    barrier()
    output[unsafe_offset=i] = rebind[Float32](shared[63 - i])
