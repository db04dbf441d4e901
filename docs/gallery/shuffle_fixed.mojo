"""All lanes take part, and the guard comes after the shuffles."""

from max.gpu import thread_idx
from max.gpu.host import DeviceContext
from max.gpu.primitives import warp


def sum_of(output: UnsafePointer[Int32, MutAnyOrigin]):
    var t = Int(thread_idx.x)
    var total = warp.sum(Int32(1) if t < 20 else Int32(0))
    if t < 20:
        output[t] = total


def main() raises:
    with DeviceContext() as ctx:
        var output = ctx.enqueue_create_buffer[DType.int32](20)
        ctx.enqueue_function[sum_of](output, grid_dim=1, block_dim=64)
        with output.map_to_host() as host:
            print("sum", host[0])
