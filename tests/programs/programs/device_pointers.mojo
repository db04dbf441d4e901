"""Pointers into a buffer that know it: arithmetic, comparison, and as a kernel's argument."""

from max.gpu import global_idx
from max.gpu.host import DeviceContext


def add_one(values: Pointer[Int32, MutAnyOrigin]):
    values[unsafe_offset=Int(global_idx.x)] += 1


def main() raises:
    with DeviceContext() as ctx:
        var values = ctx.enqueue_create_buffer[DType.int32](6)
        values.enqueue_fill(0)
        var begin = values.device_ptr()
        var middle = begin + 2
        print(begin < middle, begin == middle - 2, middle.offset())
        ctx.enqueue_function[add_one](middle, grid_dim=1, block_dim=3)
        print(values)


# > True True 2
# > DeviceBuffer([0, 0, 1, 1, 1, 0])
