"""A tail of threads without a guard.

100 elements take two blocks of 64 threads. The last 28 threads have no element, and write after the end of the buffer.
"""

from layout import TileTensor
from layout.tile_layout import row_major
from max.gpu import global_idx
from max.gpu.host import DeviceContext

comptime layout = row_major[100]()
comptime Row = TileTensor[mut=True, DType.int32, type_of(layout), MutAnyOrigin]


def double(values: Row):
    var i = Int(global_idx.x)
    values[i] = values[i] * 2


def main() raises:
    with DeviceContext() as ctx:
        var values = ctx.enqueue_create_buffer[DType.int32](100)
        values.enqueue_fill(21)
        var row = TileTensor(values, layout)
        ctx.enqueue_function[double](row, grid_dim=2, block_dim=64)
        with values.map_to_host() as host:
            print(host[0], host[99])
