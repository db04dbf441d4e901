"""Small kernels that use what the puzzles compute with, for the simulator's tests."""

from std.atomic import Atomic
from std.math import ceildiv, cos, erf, exp, exp2, floor, fma, log, log2, rsqrt, sin, sqrt, tanh
from layout.tile_layout import row_major
from layout.tile_tensor import stack_allocation
from max.gpu import block_dim, block_idx, lane_id, thread_idx
from max.gpu.memory import AddressSpace
from max.gpu.primitives import block, warp
from max.gpu.sync import barrier

comptime Floats = Pointer[Float32, MutAnyOrigin]
comptime Ints = Pointer[Int32, MutAnyOrigin]
comptime Halves = Pointer[Float16, MutAnyOrigin]
comptime Brains = Pointer[BFloat16, MutAnyOrigin]
comptime THREADS = 128


def block_operations(output: Floats, input: Floats):
    """Sum, maximum, broadcast and exclusive scan of a block of 128."""
    var i = Int(thread_idx.x)
    var base = Int(block_idx.x) * THREADS
    var x = input[unsafe_offset=base + i]
    var total = block.sum[block_size=THREADS](x)
    var largest = block.max[block_size=THREADS](x)
    var shared_total = block.broadcast[block_size=THREADS](total, src_thread=0)
    var scan = block.prefix_sum[exclusive=True, block_size=THREADS](x)
    output[unsafe_offset=4 * (base + i)] = total
    output[unsafe_offset=4 * (base + i) + 1] = largest
    output[unsafe_offset=4 * (base + i) + 2] = shared_total
    output[unsafe_offset=4 * (base + i) + 3] = scan


def warp_operations(output: Floats, input: Floats):
    """Every exchange within a warp."""
    var i = Int(thread_idx.x)
    var x = input[unsafe_offset=i]
    output[unsafe_offset=8 * i] = warp.sum(x)
    output[unsafe_offset=8 * i + 1] = warp.max(x)
    output[unsafe_offset=8 * i + 2] = warp.min(x)
    output[unsafe_offset=8 * i + 3] = warp.prefix_sum[exclusive=False](x)
    output[unsafe_offset=8 * i + 4] = warp.broadcast(x)
    output[unsafe_offset=8 * i + 5] = warp.shuffle_down(x, 1)
    output[unsafe_offset=8 * i + 6] = warp.shuffle_up(x, 1)
    output[unsafe_offset=8 * i + 7] = warp.shuffle_idx(x, 3)


def warp_types(output: Ints, halves: Halves, ints: Ints):
    """Exchanges of other types."""
    var i = Int(thread_idx.x)
    output[unsafe_offset=4 * i] = warp.sum(ints[unsafe_offset=i])
    output[unsafe_offset=4 * i + 1] = warp.shuffle_xor(ints[unsafe_offset=i], 5)
    output[unsafe_offset=4 * i + 2] = Int32(warp.shuffle_xor(halves[unsafe_offset=i], 1))
    output[unsafe_offset=4 * i + 3] = Int32(warp.sum(Int64(ints[unsafe_offset=i])))


def histogram(counts: Ints, sums: Floats, input: Floats, size: Int32):
    """Counts in shared, then in global memory, atomically."""
    var shared = stack_allocation[
        dtype=DType.int32, address_space=AddressSpace.SHARED
    ](row_major[8]())
    var t = Int(thread_idx.x)
    var i = Int(block_idx.x) * Int(block_dim.x) + t
    if t < 8:
        shared[t] = 0
    barrier()
    if i < Int(size):
        var bin = Int(floor(input[unsafe_offset=i] * 8))
        bin = min(max(bin, 0), 7)
        _ = Atomic.fetch_add(shared.ptr.unsafe_offset(bin), 1)
        _ = Atomic.fetch_add(sums.unsafe_offset(bin), input[unsafe_offset=i])
    barrier()
    if t < 8:
        _ = Atomic.fetch_add(counts.unsafe_offset(t), rebind[Int32](shared[t]))


def vector_copy(output: Floats, a: Floats, b: Floats):
    """Loads and stores four at a time."""
    var i = 4 * Int(block_idx.x * block_dim.x + thread_idx.x)
    var x = a.unsafe_load[width=4](i)
    var y = b.unsafe_load[width=4](i)
    output.unsafe_store(i, (x + y) * 2)


def functions(output: Floats, input: Floats):
    """Functions of one variable."""
    var i = Int(thread_idx.x)
    var x = input[unsafe_offset=i]
    output[unsafe_offset=12 * i] = exp(x)
    output[unsafe_offset=12 * i + 1] = log(x)
    output[unsafe_offset=12 * i + 2] = sqrt(x)
    output[unsafe_offset=12 * i + 3] = rsqrt(x)
    output[unsafe_offset=12 * i + 4] = sin(x)
    output[unsafe_offset=12 * i + 5] = cos(x)
    output[unsafe_offset=12 * i + 6] = tanh(x)
    output[unsafe_offset=12 * i + 7] = erf(x)
    output[unsafe_offset=12 * i + 8] = exp2(x)
    output[unsafe_offset=12 * i + 9] = log2(x)
    output[unsafe_offset=12 * i + 10] = fma(x, x, -x)
    output[unsafe_offset=12 * i + 11] = 1 / x


def softmax(output: Floats, input: Floats, size: Int32):
    """One row, one block of 128, padded with the identity."""
    var t = Int(thread_idx.x)
    var live = t < Int(size)
    var shared = stack_allocation[
        dtype=DType.float32, address_space=AddressSpace.SHARED
    ](row_major[THREADS]())
    var x = input[unsafe_offset=t] if live else Float32.MIN_FINITE
    shared[t] = x
    barrier()
    var stride = THREADS // 2
    while stride > 0:
        if t < stride:
            shared[t] = max(shared[t], shared[t + stride])
        barrier()
        stride //= 2
    var largest = rebind[Float32](shared[0])
    barrier()
    var e = exp(x - largest) if live else Float32(0)
    shared[t] = e
    barrier()
    stride = THREADS // 2
    while stride > 0:
        if t < stride:
            shared[t] += shared[t + stride]
        barrier()
        stride //= 2
    if live:
        output[unsafe_offset=t] = e / rebind[Float32](shared[0])


def layernorm(output: Floats, input: Floats, hidden: Int32):
    """One row for each thread."""
    var row = Int(block_idx.x * block_dim.x + thread_idx.x)
    var n = Int(hidden)
    var sum = Float32(0)
    var squares = Float32(0)
    for j in range(n):
        var x = input[unsafe_offset=row * n + j]
        sum += x
        squares += x * x
    var mean = sum / Float32(n)
    var scale = rsqrt(squares / Float32(n) - mean * mean + 1e-5)
    for j in range(n):
        output[unsafe_offset=row * n + j] = (input[unsafe_offset=row * n + j] - mean) * scale


def matmul_tiled(c: Floats, a: Floats, b: Floats, size: Int32):
    """Square matrices, tiles of 8 by 8."""
    comptime TILE = 8
    var n = Int(size)
    var x = Int(thread_idx.x)
    var y = Int(thread_idx.y)
    var row = Int(block_idx.y) * TILE + y
    var column = Int(block_idx.x) * TILE + x
    var left = stack_allocation[
        dtype=DType.float32, address_space=AddressSpace.SHARED
    ](row_major[TILE, TILE]())
    var right = stack_allocation[
        dtype=DType.float32, address_space=AddressSpace.SHARED
    ](row_major[TILE, TILE]())
    var total = Float32(0)
    for tile in range(ceildiv(n, TILE)):
        var k = tile * TILE
        left[y, x] = a[unsafe_offset=row * n + k + x] if row < n and k + x < n else Float32(0)
        right[y, x] = b[unsafe_offset=(k + y) * n + column] if column < n and k + y < n else Float32(0)
        barrier()
        for k in range(TILE):
            total += rebind[Float32](left[y, k]) * rebind[Float32](right[k, x])
        barrier()
    if row < n and column < n:
        c[unsafe_offset=row * n + column] = total


def small_types(output: Floats, halves: Halves, brains: Brains, ints: Ints):
    """Half precision, bfloat and integer arithmetic."""
    var i = Int(thread_idx.x)
    output[unsafe_offset=8 * i] = Float32(halves[unsafe_offset=i] * halves[unsafe_offset=i] + halves[unsafe_offset=i])
    output[unsafe_offset=8 * i + 1] = Float32(brains[unsafe_offset=i] * brains[unsafe_offset=i] + brains[unsafe_offset=i])
    output[unsafe_offset=8 * i + 2] = Float32(ints[unsafe_offset=i] // 7)
    output[unsafe_offset=8 * i + 3] = Float32(ints[unsafe_offset=i] % 7)
    output[unsafe_offset=8 * i + 4] = Float32(ints[unsafe_offset=i] >> 2)
    output[unsafe_offset=8 * i + 5] = Float32(UInt8(ints[unsafe_offset=i] & 255))
    output[unsafe_offset=8 * i + 6] = Float32(Int32(brains[unsafe_offset=i]))
    output[unsafe_offset=8 * i + 7] = Float32(BFloat16(Float32(ints[unsafe_offset=i]) * 1.01))


def local_array(output: Floats, input: Floats):
    """A local array whose index is known only at run time, and early exit."""
    var i = Int(thread_idx.x)
    if i >= 100:
        return
    var values = stack_allocation[
        dtype=DType.float32, address_space=AddressSpace.LOCAL
    ](row_major[8]())
    for j in range(8):
        values[(j * 3 + i) % 8] = input[unsafe_offset=j] + Float32(i)
    var total = Float32(0)
    for j in range(i % 8 + 1):
        total += rebind[Float32](values[j])
    output[unsafe_offset=i] = total
