"""Kernels that get memory of the host, and dynamic shared memory that the launch does not give."""

from max.gpu import thread_idx
from max.gpu.host import DeviceContext
from max.gpu.memory import AddressSpace, external_memory


def increased(numbers: Pointer[Int32, MutAnyOrigin]):
    numbers[unsafe_offset=Int(thread_idx.x)] = 1  # finding: error out-of-bounds.pointer.host


def kept():
    var cache = external_memory[Int32, address_space=AddressSpace.SHARED, alignment=4]()
    cache[unsafe_offset=Int(thread_idx.x)] = 1  # finding: error out-of-bounds.not-given


def main() raises:
    with DeviceContext() as ctx:
        var numbers = List[Int32](length=4, fill=2)
        ctx.enqueue_function[increased](numbers.unsafe_ptr(), grid_dim=1, block_dim=4)
        ctx.enqueue_function[kept](grid_dim=1, block_dim=4, shared_mem_bytes=16)
        ctx.enqueue_function[kept](grid_dim=1, block_dim=4)
        ctx.synchronize()
        print(numbers[3])


# natively: the driver ends it
# > 2
