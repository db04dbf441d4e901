"""Neighbours are added in place.

Each lane reads its neighbour's value and writes its own. Nothing says whether the neighbour has written already. Within
one warp this is a warning, since lanes that take the step together all read first. `--fail-on warning` makes it a failure.
"""

from max.gpu import thread_idx
from max.gpu.host import DeviceContext
from max.gpu.sync import barrier


def add(values: UnsafePointer[Int32, MutAnyOrigin]):
    var i = Int(thread_idx.x)
    if i < 31:
        values[i] += values[i + 1]


def main() raises:
    with DeviceContext() as ctx:
        var values = ctx.enqueue_create_buffer[DType.int32](32)
        values.enqueue_fill(1)
        ctx.enqueue_function[add](values, grid_dim=1, block_dim=32)
        with values.map_to_host() as host:
            print(host[0], host[30])
