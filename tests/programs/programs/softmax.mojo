"""Softmax of rows: a block for each row, its maximum and its sum by the library's block reductions."""

from max.gpu import block_idx, thread_idx
from max.gpu.host import DeviceContext
from max.gpu.primitives import block
from std.math import exp
from std.testing import assert_almost_equal

comptime ROWS = 3
comptime COLS = 100
comptime TPB = 128


def softmax(
    to: UnsafePointer[Float32, MutAnyOrigin],
    a: UnsafePointer[Float32, ImmutAnyOrigin],
):
    var row = Int(block_idx.x)
    var col = Int(thread_idx.x)
    var value = a[row * COLS + col] if col < COLS else Float32.MIN
    var largest = block.max[block_size=TPB](value)
    var e = exp(value - largest) if col < COLS else Float32(0)
    var total = block.sum[block_size=TPB](e)
    if col < COLS:
        to[row * COLS + col] = e / total


def main() raises:
    with DeviceContext() as ctx:
        var a = ctx.enqueue_create_buffer[DType.float32](ROWS * COLS)
        var b = ctx.enqueue_create_buffer[DType.float32](ROWS * COLS)
        with a.map_to_host() as host:
            for i in range(ROWS * COLS):
                host[i] = Float32((i * 37) % 11) - 5
        ctx.enqueue_function[softmax](b, a, grid_dim=ROWS, block_dim=TPB)
        with a.map_to_host() as x, b.map_to_host() as y:
            for row in range(ROWS):
                var largest = Float32.MIN
                for c in range(COLS):
                    largest = max(largest, x[row * COLS + c])
                var total = Float64(0)
                for c in range(COLS):
                    total += exp(Float64(x[row * COLS + c] - largest))
                for c in range(COLS):
                    assert_almost_equal(
                        Float64(y[row * COLS + c]),
                        exp(Float64(x[row * COLS + c] - largest)) / total,
                        rtol=1e-4,
                    )
        print("softmax ok")


# > softmax ok
