"""An index that overflows 32 bits.

A row of pixels is stretched by a step of 2.5 in fixed point. From element 13,108 on the product has more than 31 bits,
and the index is negative. Small pictures are right.
"""

from max.gpu import global_idx
from max.gpu.host import DeviceContext

comptime STEP = Int32(163840)  # 2.5 with 16 bits after the point


def shrink(
    to: UnsafePointer[Int32, MutAnyOrigin],
    row: UnsafePointer[Int32, MutAnyOrigin],
):
    var i = Int32(global_idx.x)
    to[Int(i)] = row[Int((i * STEP) >> 16)]


def main() raises:
    with DeviceContext() as ctx:
        var row = ctx.enqueue_create_buffer[DType.int32](40960)
        var to = ctx.enqueue_create_buffer[DType.int32](16384)
        row.enqueue_fill(5)
        ctx.enqueue_function[shrink](to, row, grid_dim=64, block_dim=256)
        with to.map_to_host() as host:
            print(host[0], host[16383])
