"""Kernels print numbers of every kind as the host does, the widest too."""

from max.gpu import thread_idx
from max.gpu.host import DeviceContext


def tell(double: Float64, single: Float32, wide: Scalar[DType.int128]):
    var i = Int(thread_idx.x)
    print(i, double, single, Float16(single), wide * Int128(i), i > 0)


def main() raises:
    var ctx = DeviceContext()
    var wide = Int128(-12345678901234567890123)
    ctx.enqueue_function[tell](
        Float64(-1e-7) / 3, Float32(1e10) / 3, wide, grid_dim=1, block_dim=2
    )
    ctx.synchronize()
    print(Float64(-1e-7) / 3, Float32(1e10) / 3, wide)


# targets: nvidia amd
# > 0 -3.3333333333333334e-08 3333333200.0 inf 0 False
# > 1 -3.3333333333333334e-08 3333333200.0 inf -12345678901234567890123 True
# > -3.3333333333333334e-08 3333333200.0 -12345678901234567890123
