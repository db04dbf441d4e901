"""Two contexts on one device: the second waits for the first before it uses its buffer."""

from max.gpu import global_idx
from max.gpu.host import DeviceContext


def add(values: Pointer[Int32, MutAnyOrigin], summand: Int32):
    values[unsafe_offset=Int(global_idx.x)] += summand


def main() raises:
    var first = DeviceContext()
    var second = DeviceContext()
    var values = first.enqueue_create_buffer[DType.int32](4)
    values.enqueue_fill(1)
    first.enqueue_function[add](values, Int32(1), grid_dim=1, block_dim=4)
    second.enqueue_wait_for(first)
    second.enqueue_function[add](values, Int32(10), grid_dim=1, block_dim=4)
    second.synchronize()
    print(values, DeviceContext.number_of_devices())


# > DeviceBuffer([12, 12, 12, 12]) 1
