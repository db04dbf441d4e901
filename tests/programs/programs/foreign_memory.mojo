"""The false twin of `wrapped`: memory of the host, given to the device to free."""

from max.gpu.host import DeviceBuffer, DeviceContext


def main() raises:
    var ctx = DeviceContext()
    var values = List[Int32](length=64, fill=3)
    var owner = DeviceBuffer[DType.int32](
        ctx, values.unsafe_ptr(), 64, owning=True
    )
    ctx.synchronize()
    print("before", len(owner))
    _ = owner^  # finding: error foreign-memory
    try:
        ctx.synchronize()
        ctx.synchronize()
        print("no error")
    except:
        print("an error")
    print(values[0])


# targets: nvidia amd
# > before 64
# > an error
# > 3
