"""Products of a warp's matrices, and how their fragments are loaded and stored."""

from std.memory import bitcast, stack_allocation
from max.gpu import thread_idx
from max.gpu.compute.mma import ld_matrix, mma, st_matrix
from max.gpu.memory import AddressSpace
from max.gpu.sync import barrier

comptime Floats = Pointer[Float32, MutAnyOrigin]
comptime SHARED = AddressSpace.SHARED
comptime SCALE = Float32(1) / 1024


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
