"""Every lane asks the lane that holds its mirror place."""

from max.gpu import lane_id
from max.gpu.host import DeviceContext
from max.gpu.primitives.warp import shuffle_xor
from max.gpu.primitives.warp import sum as warp_sum


def mirror(output: UnsafePointer[Int32, MutAnyOrigin]):
    var lane = Int(lane_id())
    var other = shuffle_xor(Int32(lane), 31)
    var total = warp_sum(Int32(lane))
    if lane < 4:
        output[lane] = other
    if lane == 4:
        output[lane] = total


def main() raises:
    with DeviceContext() as ctx:
        var output = ctx.enqueue_create_buffer[DType.int32](5)
        output.enqueue_fill(0)
        ctx.enqueue_function[mirror](output, grid_dim=1, block_dim=32)
        with output.map_to_host() as values:
            print(values[0], values[1], values[2], values[3], "sum", values[4])


# targets: nvidia
# > 31 30 29 28 sum 496
