"""The false twin of `two_contexts`: nothing orders their work on one buffer."""

from max.gpu import global_idx
from max.gpu.host import DeviceContext


def add(values: Pointer[Int32, MutAnyOrigin], summand: Int32):
    values[unsafe_offset=Int(global_idx.x)] += summand


def main() raises:
    var first = DeviceContext()
    var second = DeviceContext()
    var values = first.enqueue_create_buffer[DType.int32](4)
    values.enqueue_fill(1)
    first.synchronize()
    first.enqueue_function[add](values, Int32(1), grid_dim=1, block_dim=4)  # finding: error stream-race
    second.enqueue_function[add](values, Int32(10), grid_dim=1, block_dim=4)
    second.synchronize()
    first.synchronize()
    print(values)


# natively: its contexts race
# > DeviceBuffer([12, 12, 12, 12])
