"""It calls Python between calls of the device."""

from std.python import Python

from max.gpu import thread_idx
from max.gpu.host import DeviceContext


def twice(numbers: Pointer[Int32, MutAnyOrigin]):
    numbers[unsafe_offset=Int(thread_idx.x)] *= 2


def main() raises:
    var json = Python.import_module("json")
    with DeviceContext() as ctx:
        var numbers = ctx.enqueue_create_buffer[DType.int32](2)
        with numbers.map_to_host() as host:
            host[0] = Int32(py=json.loads("[20, 21]")[0])
            host[1] = Int32(py=json.loads("[20, 21]")[1])
        ctx.enqueue_function[twice](numbers, grid_dim=1, block_dim=2)
        with numbers.map_to_host() as host:
            print(json.dumps(Python.list(Int(host[0]), Int(host[1]))), Python.import_module("sys").argv)


# > [40, 42] ['']
