"""Shared memory whose size the launch gives."""

from max.gpu import thread_idx
from max.gpu.host import DeviceContext
from max.gpu.memory import AddressSpace, external_memory
from max.gpu.sync import barrier


def reverse(values: Pointer[Float32, MutAnyOrigin], length: Int32):
    var cache = external_memory[
        Float32, address_space=AddressSpace.SHARED, alignment=4
    ]()
    var i = Int(thread_idx.x)
    var n = Int(length)
    cache[unsafe_offset=i] = values[unsafe_offset=i]
    barrier()
    values[unsafe_offset=i] = cache[unsafe_offset=n - 1 - i]


def main() raises:
    with DeviceContext() as ctx:
        var values = ctx.enqueue_create_buffer[DType.float32](6)
        with values.map_to_host() as host:
            for i in range(6):
                host[i] = Float32(i)
        ctx.enqueue_function[reverse](
            values, Int32(6), grid_dim=1, block_dim=6, shared_mem_bytes=6 * 4
        )
        print(values)


# targets: nvidia amd
# > DeviceBuffer([5.0, 4.0, 3.0, 2.0, 1.0, 0.0])
