"""A kernel on a `LayoutTensor`."""

from layout import Layout, LayoutTensor
from max.gpu import thread_idx
from max.gpu.host import DeviceContext

comptime dtype = DType.float32
comptime layout = Layout.row_major(2, 3)


def transpose_add(
    output: LayoutTensor[dtype, layout, MutAnyOrigin],
    a: LayoutTensor[dtype, layout, ImmutAnyOrigin],
):
    var row = Int(thread_idx.y)
    var col = Int(thread_idx.x)
    if row < 2 and col < 3:
        output[row, col] = a[row, col] + 10


def main() raises:
    with DeviceContext() as ctx:
        var output = ctx.enqueue_create_buffer[dtype](6)
        output.enqueue_fill(0)
        var a = ctx.enqueue_create_buffer[dtype](6)
        with a.map_to_host() as host:
            for i in range(6):
                host[i] = Scalar[dtype](i)
        ctx.enqueue_function[transpose_add](
            LayoutTensor[dtype, layout](output),
            LayoutTensor[dtype, layout](a),
            grid_dim=1,
            block_dim=(4, 4),
        )
        print(output)


# > DeviceBuffer([10.0, 11.0, 12.0, 13.0, 14.0, 15.0])
