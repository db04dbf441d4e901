"""Buffers and kernels of half-precision numbers."""

from max.gpu import global_idx
from max.gpu.host import DeviceContext


def square[
    dtype: DType
](values: Pointer[Scalar[dtype], MutAnyOrigin], length: Int32):
    var i = Int(global_idx.x)
    if i < Int(length):
        values[unsafe_offset=i] *= values[unsafe_offset=i]


def squares[dtype: DType](ctx: DeviceContext) raises:
    var values = ctx.enqueue_create_buffer[dtype](4)
    with values.map_to_host() as host:
        for i in range(4):
            host[i] = Scalar[dtype](Float32(i) + 0.5)
    ctx.enqueue_function[square[dtype]](
        values, Int32(4), grid_dim=1, block_dim=8
    )
    print(dtype, values)


def main() raises:
    with DeviceContext() as ctx:
        squares[DType.float16](ctx)
        squares[DType.bfloat16](ctx)
        squares[DType.float32](ctx)


# > float16 DeviceBuffer([0.25, 2.25, 6.25, 12.25])
# > bfloat16 DeviceBuffer([0.25, 2.25, 6.25, 12.25])
# > float32 DeviceBuffer([0.25, 2.25, 6.25, 12.25])
