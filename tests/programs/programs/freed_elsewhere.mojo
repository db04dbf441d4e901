"""A buffer is freed in its own stream while another one may use it, here after the use by luck; another one is kept."""

from max.gpu import thread_idx
from max.gpu.host import DeviceContext


def copied(to: Pointer[Int32, MutAnyOrigin], source: Pointer[Int32, MutAnyOrigin]):
    to[unsafe_offset=Int(thread_idx.x)] = source[unsafe_offset=Int(thread_idx.x)]


def main() raises:
    var ctx = DeviceContext()
    var to = ctx.enqueue_create_buffer[DType.int32](4)
    var lost = ctx.enqueue_create_buffer[DType.int32](4)
    var kept = ctx.enqueue_create_buffer[DType.int32](4)
    lost.enqueue_fill(3)
    kept.enqueue_fill(4)
    ctx.synchronize()
    var second = ctx.create_stream()
    var kernel = ctx.compile_function[copied]()
    second.enqueue_function(kernel, to, kept, grid_dim=1, block_dim=4)
    second.synchronize()
    _ = kept^
    second.enqueue_function(kernel, to, lost, grid_dim=1, block_dim=4)  # finding: error use-after-free.unordered
    second.synchronize()
    print(to)


# targets: nvidia amd
# > DeviceBuffer([3, 3, 3, 3])
