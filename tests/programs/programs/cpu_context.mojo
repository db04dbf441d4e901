"""A context of the processor beside that of the GPU: buffers, fills, and functions in its order."""

from max.gpu.host import DeviceContext


def main() raises:
    var gpu = DeviceContext()
    var cpu = DeviceContext(api="cpu")
    print(cpu.api(), cpu.id(), cpu.is_host_unified())
    var here = cpu.enqueue_create_buffer[DType.int32](4)
    here.enqueue_fill(5)
    var values = here.unsafe_ptr()

    def increase() {var}:
        for i in range(4):
            values[unsafe_offset=i] += Int32(i)

    cpu.enqueue_cpu_function(increase)

    def double(i: Int) {var}:
        values[unsafe_offset=i] *= 2

    cpu.enqueue_cpu_range(double, 4)
    cpu.synchronize()
    print(here)
    var there = gpu.enqueue_create_buffer[DType.int32](4)
    gpu.enqueue_copy(there, here.unsafe_ptr())
    print(there)


# > cpu 0 True
# > DeviceBuffer([10, 12, 14, 16])
# > DeviceBuffer([10, 12, 14, 16])
