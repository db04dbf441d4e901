"""All lanes read before the first one writes."""

from max.gpu import thread_idx
from max.gpu.host import DeviceContext
from max.gpu.sync import barrier


def add(values: UnsafePointer[Int32, MutAnyOrigin]):
    var i = Int(thread_idx.x)
    var next = values[i + 1] if i < 31 else Int32(0)
    barrier()
    values[i] += next


def main() raises:
    with DeviceContext() as ctx:
        var values = ctx.enqueue_create_buffer[DType.int32](32)
        values.enqueue_fill(1)
        ctx.enqueue_function[add](values, grid_dim=1, block_dim=32)
        with values.map_to_host() as host:
            print(host[0], host[30])
