"""The host follows a pointer into a host buffer that was freed; into another one it does so while that is kept."""

from max.gpu.host import DeviceContext


def main() raises:
    with DeviceContext() as ctx:
        var device = ctx.enqueue_create_buffer[DType.int32](4)
        device.enqueue_fill(7)
        var lost = ctx.enqueue_create_host_buffer[DType.int32](4)
        var kept = ctx.enqueue_create_host_buffer[DType.int32](4)
        var into_lost = lost.unsafe_ptr().unsafe_origin_cast[MutUntrackedOrigin]()
        var into_kept = kept.unsafe_ptr().unsafe_origin_cast[MutUntrackedOrigin]()
        ctx.enqueue_copy(lost, device)
        ctx.enqueue_copy(kept, device)
        ctx.synchronize()
        print(into_lost[unsafe_offset=1] + into_kept[unsafe_offset=1])  # finding: error use-after-free.pages
        print(into_lost[unsafe_offset=2])
        _ = kept^


# natively: it reads memory that was freed
# > 14
# > 7
