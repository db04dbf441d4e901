"""A sum over a warp by the library's own reductions."""

from max.gpu import lane_id, thread_idx
from max.gpu.host import DeviceContext
from max.gpu.primitives import warp
from max.gpu.primitives.warp import WARP_SIZE


def sums(to: Pointer[Int32, MutAnyOrigin]):
    var lane = Int32(lane_id())
    var total = warp.sum(lane)
    var largest = warp.max(lane)
    var first = warp.broadcast(lane + 7)
    var prefix = warp.prefix_sum(lane)
    if lane == 3:
        to[unsafe_offset=0] = total
        to[unsafe_offset=1] = largest
        to[unsafe_offset=2] = first
        to[unsafe_offset=3] = prefix


def main() raises:
    with DeviceContext() as ctx:
        var result = ctx.enqueue_create_buffer[DType.int32](4)
        result.enqueue_fill(0)
        ctx.enqueue_function[sums](result, grid_dim=1, block_dim=WARP_SIZE)
        print(result)


# nvidia> DeviceBuffer([496, 31, 7, 6])
# amd> DeviceBuffer([2016, 63, 7, 6])
# apple> DeviceBuffer([496, 31, 7, 6])
