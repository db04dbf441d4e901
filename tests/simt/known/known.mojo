"""Kernels with known faults, written for the tests: `known/*.ll` are compiled from it.

Rebuild with `mojo build --emit llvm -g1 --target-accelerator sm_90 known.mojo`.
"""

from max.gpu import thread_idx
from max.gpu.host import DeviceContext
from max.gpu.memory import AddressSpace
from max.gpu.sync import barrier
from layout import TileTensor
from layout.tile_layout import row_major, TensorLayout
from layout.tile_tensor import stack_allocation

comptime SIZE = 2
comptime plain = row_major[SIZE, SIZE]()
comptime line = row_major[4]()
comptime Square = type_of(plain)
comptime Line = type_of(line)


def add_ten_unguarded(
    output: TileTensor[mut=True, DType.float32, Square, MutAnyOrigin],
    a: TileTensor[mut=False, DType.float32, Square, ImmutAnyOrigin],
):
    """Adds 10 to each element, without keeping the threads of the rim out."""
    var row = thread_idx.y
    var col = thread_idx.x
    output[row, col] = a[row, col] + 10


def shared_sum_unordered(
    output: TileTensor[mut=True, DType.float32, Square, MutAnyOrigin],
    a: TileTensor[mut=False, DType.float32, Square, ImmutAnyOrigin],
):
    """Every thread adds its element to one shared cell, with nothing to order them."""
    var row = thread_idx.y
    var col = thread_idx.x
    var total = stack_allocation[
        dtype=DType.float32, address_space=AddressSpace.SHARED
    ](row_major[1]())
    if row < SIZE and col < SIZE:
        total[0] += a[row, col]
    barrier()
    if row < SIZE and col < SIZE:
        output[row, col] = total[0]


def divergent_barrier(
    output: TileTensor[mut=True, DType.float32, Line, MutAnyOrigin],
    a: TileTensor[mut=False, DType.float32, Line, ImmutAnyOrigin],
):
    """Smooths three elements; one of its barriers stands inside the branch."""
    var i = thread_idx.x
    var cells = stack_allocation[
        dtype=DType.float32, address_space=AddressSpace.SHARED
    ](row_major[4]())
    cells[i] = a[i]
    barrier()
    if i < 3:
        if i > 0:
            cells[i] = cells[i] + 0.5 * cells[i - 1]
        barrier()
    barrier()
    if i < 3:
        output[i] = cells[i]
    else:
        output[i] = a[i]


def main() raises:
    with DeviceContext() as ctx:
        var o = ctx.enqueue_create_buffer[DType.float32](4)
        var i = ctx.enqueue_create_buffer[DType.float32](4)
        var so = TileTensor[mut=True](o, plain)
        var si = TileTensor[mut=False](i, plain)
        var lo = TileTensor[mut=True](o, line)
        var li = TileTensor[mut=False](i, line)
        ctx.enqueue_function[add_ten_unguarded](so, si, grid_dim=(1, 1), block_dim=(3, 3))
        ctx.enqueue_function[shared_sum_unordered](so, si, grid_dim=(1, 1), block_dim=(3, 3))
        ctx.enqueue_function[divergent_barrier](lo, li, grid_dim=(1, 1), block_dim=(4, 1))
