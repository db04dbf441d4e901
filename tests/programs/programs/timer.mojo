"""Work that is timed runs as often as it is asked for."""

from max.gpu.host import DeviceContext


def count(counter: Pointer[Int32, MutAnyOrigin]):
    counter[] += 1


def main() raises:
    var ctx = DeviceContext()
    var counter = ctx.enqueue_create_buffer[DType.int32](1)
    counter.enqueue_fill(0)
    var kernel = ctx.compile_function[count]()

    def once() raises {imm}:
        ctx.enqueue_function(kernel, counter, grid_dim=1, block_dim=1)

    print(ctx.execution_time(once, 25) > 0)
    print(counter)


# > True
# > DeviceBuffer([25])
