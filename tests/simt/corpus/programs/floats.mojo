"""Kernels on floats, each asserted: products, attention, stencils, particles, escapes, draws."""

from std.atomic import Atomic
from max.gpu import block_dim, block_idx, global_idx, lane_id, thread_idx
from max.gpu.host import DeviceContext
from max.gpu.memory import AddressSpace
from max.gpu.primitives import block, warp
from max.gpu.sync import barrier
from std.math import exp, sqrt
from std.memory import stack_allocation
from std.testing import assert_almost_equal, assert_equal

comptime N = 256
comptime SIDE = 16
comptime In = UnsafePointer[Float32, ImmutAnyOrigin]
comptime Out = UnsafePointer[Float32, MutAnyOrigin]


def multiply(to: Out, a: In, b: In):
    var tile_a = stack_allocation[
        64, Float32, address_space=AddressSpace.SHARED
    ]()
    var tile_b = stack_allocation[
        64, Float32, address_space=AddressSpace.SHARED
    ]()
    var x = Int(thread_idx.x)
    var y = Int(thread_idx.y)
    var row = Int(block_idx.y) * 8 + y
    var column = Int(block_idx.x) * 8 + x
    var total = Float32(0)
    for part in range(2):
        tile_a[y * 8 + x] = a[row * SIDE + part * 8 + x]
        tile_b[y * 8 + x] = b[(part * 8 + y) * SIDE + column]
        barrier()
        for k in range(8):
            total += tile_a[y * 8 + k] * tile_b[k * 8 + x]
        barrier()
    to[row * SIDE + column] = total


def dot(to: Out, a: In, b: In):
    var i = Int(global_idx.x)
    var own = warp.sum(a[i] * b[i])
    if lane_id() == 0:
        _ = Atomic.fetch_add(to, own)


def softmax(to: Out, a: In):
    var i = Int(global_idx.x)
    var largest = block.max[block_size=64](a[i])
    var e = exp(a[i] - largest)
    to[i] = e / block.sum[block_size=64](e)


def normalise(to: Out, a: In):
    var i = Int(global_idx.x)
    var mean = block.sum[block_size=64](a[i]) / 64
    var apart = a[i] - mean
    var variance = block.sum[block_size=64](apart * apart) / 64
    to[i] = apart / sqrt(variance + 1e-5)


def smooth(to: Out, a: In):
    var tile = stack_allocation[66, Float32, address_space=AddressSpace.SHARED]()
    var t = Int(thread_idx.x)
    var i = Int(global_idx.x)
    tile[t + 1] = a[i]
    if t == 0:
        tile[0] = a[i - 1] if i > 0 else Float32(0)
    if t == 63:
        tile[65] = a[i + 1] if i + 1 < N else Float32(0)
    barrier()
    to[i] = (tile[t] + 2 * tile[t + 1] + tile[t + 2]) / 4


def escape(to: Out, a: In):
    var i = Int(global_idx.x)
    var cx = Float32(i % SIDE) / 6 - 2
    var cy = Float32(i // SIDE) / 8 - 1
    var x = Float32(0)
    var y = Float32(0)
    var steps = 0
    while steps < 40 and x * x + y * y < 4:
        var next = x * x - y * y + cx
        y = 2 * x * y + cy
        x = next
        steps += 1
    to[i] = Float32(steps)


def pull(to: Out, a: In):
    var i = Int(global_idx.x)
    var force = Float32(0)
    for j in range(N):
        var apart = a[j] - a[i]
        force += apart / (apart * apart + 1)
    to[i] = force


def root(to: Out, a: In):
    var i = Int(global_idx.x)
    var value = a[i] * a[i] + 1
    var guess = value
    while abs(guess * guess - value) > value * 1e-5:
        guess = (guess + value / guess) / 2
    to[i] = guess


def main() raises:
    with DeviceContext() as ctx:
        var a = ctx.enqueue_create_buffer[DType.float32](N)
        var b = ctx.enqueue_create_buffer[DType.float32](N)
        var to = ctx.enqueue_create_buffer[DType.float32](N)
        with a.map_to_host() as x, b.map_to_host() as y:
            for i in range(N):
                x[i] = Float32((i * 37) % 19 - 9) / 4
                y[i] = Float32((i * 11) % 7 - 3)
        ctx.enqueue_function[multiply](
            to, a, b, grid_dim=(2, 2), block_dim=(8, 8)
        )
        with to.map_to_host() as z, a.map_to_host() as x, b.map_to_host() as y:
            for row in range(SIDE):
                for column in range(SIDE):
                    var total = Float32(0)
                    for k in range(SIDE):
                        total += x[row * SIDE + k] * y[k * SIDE + column]
                    assert_equal(z[row * SIDE + column], total)
        to.enqueue_fill(0)
        ctx.enqueue_function[dot](to, a, b, grid_dim=4, block_dim=64)
        with to.map_to_host() as z, a.map_to_host() as x, b.map_to_host() as y:
            var total = Float32(0)
            for i in range(N):
                total += x[i] * y[i]
            assert_equal(z[0], total)
        ctx.enqueue_function[softmax](to, a, grid_dim=4, block_dim=64)
        with to.map_to_host() as z:
            for row in range(4):
                var total = Float32(0)
                for i in range(64):
                    total += z[row * 64 + i]
                assert_almost_equal(total, 1, rtol=1e-4)
        ctx.enqueue_function[normalise](to, a, grid_dim=4, block_dim=64)
        with to.map_to_host() as z:
            for row in range(4):
                var squares = Float32(0)
                for i in range(64):
                    squares += z[row * 64 + i] * z[row * 64 + i]
                assert_almost_equal(squares, 64, rtol=1e-3)
        ctx.enqueue_function[smooth](to, a, grid_dim=4, block_dim=64)
        with to.map_to_host() as z, a.map_to_host() as x:
            for i in range(1, N - 1):
                assert_equal(z[i], (x[i - 1] + 2 * x[i] + x[i + 1]) / 4)
        ctx.enqueue_function[escape](to, a, grid_dim=4, block_dim=64)
        with to.map_to_host() as z:
            assert_equal(z[0], 1)
            assert_equal(z[8 * SIDE + 12], 40)
        ctx.enqueue_function[pull](to, a, grid_dim=4, block_dim=64)
        with to.map_to_host() as z:
            var total = Float32(0)
            for i in range(N):
                total += z[i]
            assert_equal(abs(total) < 1e-1, True)
        ctx.enqueue_function[root](to, a, grid_dim=4, block_dim=64)
        with to.map_to_host() as z, a.map_to_host() as x:
            for i in range(N):
                assert_almost_equal(
                    z[i] * z[i], x[i] * x[i] + 1, rtol=1e-3
                )
        print("floats ok")
