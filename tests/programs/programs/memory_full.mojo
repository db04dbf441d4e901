"""More memory than the GPU has is an error of Mojo; what was there before stays usable."""

from max.gpu.host import DeviceContext


def main() raises:
    with DeviceContext() as ctx:
        var kept = ctx.enqueue_create_buffer[DType.int32](2)
        kept.enqueue_fill(6)
        var whole = ctx.get_memory_info()[1]
        try:
            var much = ctx.enqueue_create_buffer[DType.uint8](Int(whole) * 64)
            ctx.synchronize()
            print("made", len(much))
        except:
            print("refused")
        print(kept)


# > refused
# > DeviceBuffer([6, 6])
