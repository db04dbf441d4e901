"""A function of the host in a stream, between two kernels."""

from max.gpu.host import DeviceContext


def say(number: Int32):
    print("kernel", number)


def callback(data: OpaquePointer[MutAnyOrigin]):
    print("host", data.unsafe_bitcast[Int32]()[])


def main() raises:
    var ctx = DeviceContext()
    var stream = ctx.stream()
    var number = Int32(7)
    ctx.enqueue_function[say](Int32(1), grid_dim=1, block_dim=1)
    stream.enqueue_host_func(
        callback,
        Pointer(to=number).unsafe_bitcast[NoneType]().as_unsafe_any_origin(),
    )
    ctx.enqueue_function[say](Int32(2), grid_dim=1, block_dim=1)
    ctx.synchronize()
    print("done", number)


# targets: nvidia
# > kernel 1
# > host 7
# > kernel 2
# > done 7
