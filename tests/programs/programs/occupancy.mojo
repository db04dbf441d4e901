"""What a program may ask of a kernel."""

from layout.tile_layout import row_major
from layout.tile_tensor import stack_allocation
from max.gpu import thread_idx
from max.gpu.host import Attribute, DeviceContext, FuncAttribute
from max.gpu.memory import AddressSpace


def kernel(values: Pointer[Float32, MutAnyOrigin]):
    var cache = stack_allocation[
        dtype=DType.float32, address_space=AddressSpace.SHARED
    ](row_major[1024]())
    cache[thread_idx.x] = 1
    values[unsafe_offset=Int(thread_idx.x)] = cache[thread_idx.x]


def main() raises:
    var ctx = DeviceContext()
    var compiled = ctx.compile_function[kernel]()
    print(compiled.get_attribute(Attribute.SHARED_SIZE_BYTES))
    print(compiled.get_attribute(Attribute.MAX_THREADS_PER_BLOCK))
    print(compiled.occupancy_max_active_blocks_per_multiprocessor(1024, 0))
    # More than a block has unasked: none can be launched.
    print(compiled.occupancy_max_active_blocks_per_multiprocessor(128, 60 * 1024))
    var opted = ctx.compile_function[kernel](
        func_attribute=FuncAttribute.MAX_DYNAMIC_SHARED_SIZE_BYTES(60 * 1024)
    )
    print(opted.occupancy_max_active_blocks_per_multiprocessor(128, 60 * 1024))


# targets: nvidia
# > 4096
# > 1024
# > 2
# > 0
# > 3
