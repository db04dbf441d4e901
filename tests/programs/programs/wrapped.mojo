"""The program's own memory, made accessible to the device."""

from max.gpu import global_idx
from max.gpu.host import DeviceContext


def double(values: Pointer[Float32, MutAnyOrigin]):
    values[unsafe_offset=Int(global_idx.x)] *= 2


def main() raises:
    with DeviceContext() as ctx:
        var values = List[Float32](length=4096, fill=3)
        var page = (4096 - Int(values.unsafe_ptr()) % 4096) % 4096 // 4
        var wrapped = ctx.wrap_host_memory[DType.float32](
            values.unsafe_ptr().unsafe_offset(page), 1024
        )
        ctx.enqueue_function[double](wrapped, grid_dim=2, block_dim=4)
        ctx.synchronize()
        print(values[page], values[page + 7], values[page + 8])


# > 6.0 6.0 3.0
