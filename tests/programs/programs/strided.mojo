"""Two loads of one line, of which one leaves out what lies between."""

from max.gpu import block_dim, block_idx, thread_idx
from max.gpu.host import DeviceContext

comptime Floats = Pointer[Float32, MutAnyOrigin]


def strided[stride: Int](o: Floats, a: Floats):
    var i = Int(block_idx.x * block_dim.x + thread_idx.x)
    o[unsafe_offset=i] = a[unsafe_offset=i * stride] + a[unsafe_offset=i]


def main() raises:
    with DeviceContext() as ctx:
        var a = ctx.enqueue_create_buffer[DType.float32](512)
        var o = ctx.enqueue_create_buffer[DType.float32](64)
        a.enqueue_fill(1.0)
        ctx.enqueue_function[strided[2]](o, a, grid_dim=2, block_dim=32)
        ctx.enqueue_function[strided[2]](o, a, grid_dim=2, block_dim=32)
        ctx.enqueue_function[strided[8]](o, a, grid_dim=1, block_dim=64)
        ctx.synchronize()
        print("done")


# targets: nvidia
# > done
