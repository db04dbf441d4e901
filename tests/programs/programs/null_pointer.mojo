"""A buffer of no memory: neither the zeros among a kernel's arguments nor those in a tensor map become addresses."""

from max.gpu.host import DeviceBuffer, DeviceContext


def store(
    result: Pointer[Int64, MutAnyOrigin],
    count: Int64,
    nothing: Optional[Pointer[Int64, MutAnyOrigin]],
):
    result[unsafe_offset=0] = count
    result[unsafe_offset=1] = Int64(1 if nothing else 0)


def main() raises:
    with DeviceContext() as ctx:
        var result = ctx.enqueue_create_buffer[DType.int64](2)
        var empty = DeviceBuffer[DType.int64](
            ctx,
            Pointer[Int64, MutUntrackedOrigin](
                unsafe_from_address=len(List[Int]())
            ),
            0,
            owning=False,
        )
        ctx.enqueue_function[store](
            result,
            Int64(0),
            Optional[Pointer[Int64, MutAnyOrigin]](None),
            grid_dim=1,
            block_dim=1,
        )
        with result.map_to_host() as values:
            print("count", values[0], "pointer", values[1])
        print("size", len(empty))


# > count 0 pointer 0
# > size 0
