"""Arguments of every width, copied when the work is queued."""

from max.gpu.host import DeviceContext


def store(
    to: Pointer[Float64, MutAnyOrigin],
    a: Int8,
    b: UInt16,
    c: Int32,
    d: Int64,
    e: Float32,
    f: Float64,
    g: UInt8,
):
    to[unsafe_offset=0] = Float64(a)
    to[unsafe_offset=1] = Float64(b)
    to[unsafe_offset=2] = Float64(c)
    to[unsafe_offset=3] = Float64(d)
    to[unsafe_offset=4] = Float64(e)
    to[unsafe_offset=5] = f
    to[unsafe_offset=6] = Float64(g)


def main() raises:
    with DeviceContext() as ctx:
        var buffer = ctx.enqueue_create_buffer[DType.float64](7)
        var number = Int32(70000)
        ctx.enqueue_function[store](
            buffer,
            Int8(-5),
            UInt16(65535),
            number,
            Int64(1 << 40),
            Float32(0.25),
            Float64(1e-3),
            UInt8(1),
            grid_dim=1,
            block_dim=1,
        )
        number = 1  # too late
        print(buffer, number)


# targets: nvidia amd
# > DeviceBuffer([-5.0, 65535.0, 70000.0, 1099511627776.0, 0.25, 0.001, 1.0]) 1
