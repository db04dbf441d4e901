"""A prefix sum over many blocks: scan each, scan their sums, add them."""

from max.gpu import block_dim, block_idx, global_idx, thread_idx
from max.gpu.host import DeviceContext
from max.gpu.primitives import block
from std.math import ceildiv

comptime TPB = 128
comptime N = 1000
comptime BLOCKS = ceildiv(N, TPB)


def scan_blocks(
    values: UnsafePointer[Int32, MutAnyOrigin],
    sums: UnsafePointer[Int32, MutAnyOrigin],
    n: Int32,
):
    var i = Int(global_idx.x)
    var value = values[i] if i < Int(n) else Int32(0)
    var scanned = block.prefix_sum[block_size=TPB](value)
    if i < Int(n):
        values[i] = scanned
    if Int(thread_idx.x) == TPB - 1:
        sums[Int(block_idx.x)] = scanned


def scan_sums(sums: UnsafePointer[Int32, MutAnyOrigin], n: Int32):
    var i = Int(thread_idx.x)
    var value = sums[i] if i < Int(n) else Int32(0)
    var before = block.prefix_sum[block_size=TPB, exclusive=True](value)
    if i < Int(n):
        sums[i] = before


def add_sums(
    values: UnsafePointer[Int32, MutAnyOrigin],
    sums: UnsafePointer[Int32, ImmutAnyOrigin],
    n: Int32,
):
    var i = Int(global_idx.x)
    if i < Int(n):
        values[i] += sums[Int(block_idx.x)]


def main() raises:
    with DeviceContext() as ctx:
        var values = ctx.enqueue_create_buffer[DType.int32](N)
        var sums = ctx.enqueue_create_buffer[DType.int32](BLOCKS)
        with values.map_to_host() as host:
            for i in range(N):
                host[i] = Int32(i % 10)
        ctx.enqueue_function[scan_blocks](
            values, sums, Int32(N), grid_dim=BLOCKS, block_dim=TPB
        )
        ctx.enqueue_function[scan_sums](
            sums, Int32(BLOCKS), grid_dim=1, block_dim=TPB
        )
        ctx.enqueue_function[add_sums](
            values, sums, Int32(N), grid_dim=BLOCKS, block_dim=TPB
        )
        with values.map_to_host() as host:
            var total = Int32(0)
            var wrong = 0
            for i in range(N):
                total += Int32(i % 10)
                if host[i] != total:
                    wrong += 1
            print("total", host[N - 1], "wrong", wrong)


# > total 4500 wrong 0
