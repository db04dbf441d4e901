"""Two loads of equally many numbers: side by side, and far apart."""

from max.gpu import thread_idx
from max.gpu.host import DeviceContext


def both(
    output: UnsafePointer[Float32, MutAnyOrigin],
    input: UnsafePointer[Float32, MutAnyOrigin],
):
    var i = Int(thread_idx.x)
    var near = input[i]
    var far = input[8 * i]
    output[i] = near + far


def main() raises:
    with DeviceContext() as ctx:
        var input = ctx.enqueue_create_buffer[DType.float32](256)
        var output = ctx.enqueue_create_buffer[DType.float32](32)
        input.enqueue_fill(2)
        ctx.enqueue_function[both](output, input, grid_dim=1, block_dim=32)
        with output.map_to_host() as values:
            print(values[0])


# targets: nvidia
# > 4.0
