"""A buffer's elements are moved by one place, which is less than what is copied; and by half of it, which is not."""

from max.gpu.host import DeviceContext


def main() raises:
    with DeviceContext() as ctx:
        var numbers = ctx.enqueue_create_buffer[DType.int32](8)
        with numbers.map_to_host() as host:
            for i in range(8):
                host[i] = Int32(i)
        var first = numbers.create_sub_buffer[DType.int32](0, 4)
        var last = numbers.create_sub_buffer[DType.int32](4, 4)
        ctx.enqueue_copy(last, first)
        ctx.enqueue_copy(first, first)
        print(numbers)
        var moved = numbers.create_sub_buffer[DType.int32](1, 4)
        ctx.enqueue_copy(moved, first)  # finding: error copy-overlaps
        ctx.synchronize()


# > DeviceBuffer([0, 1, 2, 3, 0, 1, 2, 3])
