"""Axis sum at full size: one sum for each row, one block for each row."""

from layout import Coord, TileTensor
from layout.tile_layout import row_major
from layout.tile_tensor import stack_allocation
from max.gpu import block_idx, thread_idx
from max.gpu.memory import AddressSpace
from max.gpu.sync import barrier

comptime dtype = DType.float32
"""The element type of the matrix and of its sums."""
comptime LOAD_WIDTH = 4
"""The elements of a vector load: 16 bytes, the widest there is."""
comptime LOADS_IN_FLIGHT = 4
"""The vector loads that a thread issues before it adds the first."""


def axis_sum[
    rows: Int,
    columns: Int,
    threads: Int,
](
    output: TileTensor[
        mut=True, dtype, type_of(row_major[rows, 1]()), MutAnyOrigin
    ],
    a: TileTensor[
        mut=False, dtype, type_of(row_major[rows, columns]()), ImmutAnyOrigin
    ],
):
    """Writes the sum of row `block_idx.x` of `a` to the same row of `output`.

    Parameters:
        rows: The number of rows.
        columns: The length of a row.
        threads: The threads of a block, a power of two.

    Args:
        output: The sums, shape (rows, 1).
        a: The matrix, shape (rows, columns), aligned to 16 bytes.

    Constraints:
        A block has `threads` threads in x, the grid `rows` blocks in x.
    """
    comptime assert threads & (threads - 1) == 0, "the tree halves the block"
    var local_i = Int(thread_idx.x)
    var row = Int(block_idx.x)
    var partial = stack_allocation[
        dtype=dtype, address_space=AddressSpace.SHARED
    ](row_major[threads]())

    # Rows of an odd length start off the 16-byte grid: up to three elements
    # at either end are loaded one by one.
    var head = 0
    comptime if columns % LOAD_WIDTH != 0:
        head = min((-row * columns) % LOAD_WIDTH, columns)
    var vectors = (columns - head) // LOAD_WIDTH
    var tail = head + vectors * LOAD_WIDTH

    var sums = SIMD[dtype, LOAD_WIDTH](0)
    var i = local_i
    while i + (LOADS_IN_FLIGHT - 1) * threads < vectors:
        comptime for load in range(LOADS_IN_FLIGHT):
            var first = head + (i + load * threads) * LOAD_WIDTH
            sums += a.load[width=LOAD_WIDTH, alignment=16](Coord(row, first))
        i += LOADS_IN_FLIGHT * threads
    while i < vectors:
        var first = head + i * LOAD_WIDTH
        sums += a.load[width=LOAD_WIDTH, alignment=16](Coord(row, first))
        i += threads

    var total = (sums[0] + sums[1]) + (sums[2] + sums[3])
    comptime if columns % LOAD_WIDTH != 0:
        if local_i < head:
            total += a[row, local_i]
        if local_i < columns - tail:
            total += a[row, tail + local_i]
    partial[local_i] = total

    barrier()

    # Lanes at or past the stride only read, so no slot is read and written
    # in the same step.
    var stride = threads // 2
    while stride > 0:
        if local_i < stride:
            partial[local_i] += partial[local_i + stride]

        barrier()

        stride //= 2

    if local_i == 0:
        output[row, 0] = partial[0]
