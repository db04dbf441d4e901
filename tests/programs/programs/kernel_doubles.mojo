# A kernel that computes with doubles, which Metal does not have. What is only known at compile time needs none.
from max.gpu import thread_idx
from max.gpu.host import DeviceContext

comptime THIRD: Float64 = 1.0 / 3.0


def scaled(y: Pointer[Float64, MutAnyOrigin]):
    var i = Int(thread_idx.x)
    y[unsafe_offset=i] = y[unsafe_offset=i] * 1.5  # apple finding: error capability.double


def folded(y: Pointer[Float32, MutAnyOrigin]):
    y[unsafe_offset=Int(thread_idx.x)] = Float32(THIRD * 6)


def main() raises:
    var ctx = DeviceContext()
    var wide = ctx.enqueue_create_buffer[DType.float64](4)
    wide.enqueue_fill(2)
    ctx.enqueue_function[scaled](wide, grid_dim=1, block_dim=4)
    var narrow = ctx.enqueue_create_buffer[DType.float32](4)
    ctx.enqueue_function[folded](narrow, grid_dim=1, block_dim=4)
    with wide.map_to_host() as h:
        print(h[3])
    with narrow.map_to_host() as h:
        print(h[3])


# > 3.0
# > 2.0
