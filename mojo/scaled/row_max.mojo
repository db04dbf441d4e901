"""Butterfly maximum at full size: one for each row, one block for each row."""

from layout import Coord, TileTensor
from layout.tile_layout import row_major
from layout.tile_tensor import stack_allocation
from max.gpu import block_idx, lane_id, thread_idx
from max.gpu.memory import AddressSpace
from max.gpu.primitives.warp import WARP_SIZE, shuffle_xor
from max.gpu.sync import barrier

comptime dtype = DType.float32
"""The element type of the matrix and of its maxima."""
comptime LOAD_WIDTH = 4
"""The elements of a vector load: 16 bytes, the widest there is."""
comptime LOADS_IN_FLIGHT = 8
"""The vector loads that a lane issues before it compares the first."""


def _butterfly_max[lanes: Int](value: Scalar[dtype]) -> Scalar[dtype]:
    """Exchanges with every lane of the same group of `lanes`."""
    var largest = value

    # After the step with offset d, lanes that differ only in bits d and
    # above hold the same value.
    var offset = lanes // 2
    while offset > 0:
        largest = max(largest, shuffle_xor(largest, UInt32(offset)))
        offset //= 2

    return largest


def row_max[
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
    """Writes the maximum of row `block_idx.x` of `a` to `output`.

    Parameters:
        rows: The number of rows.
        columns: The length of a row.
        threads: The threads of a block, a power of two and whole warps.

    Args:
        output: The maxima, shape (rows, 1).
        a: The matrix, shape (rows, columns), aligned to 16 bytes.

    Constraints:
        A block has `threads` threads in x, the grid `rows` blocks in x.
    """
    comptime assert threads & (threads - 1) == 0 and threads % WARP_SIZE == 0
    comptime warps = threads // WARP_SIZE
    var local_i = Int(thread_idx.x)
    var lane = Int(lane_id())
    var row = Int(block_idx.x)
    var partial = stack_allocation[
        dtype=dtype, address_space=AddressSpace.SHARED
    ](row_major[warps]())

    # Rows of an odd length start off the 16-byte grid: up to three elements
    # at either end are loaded one by one.
    var head = 0
    comptime if columns % LOAD_WIDTH != 0:
        head = min((-row * columns) % LOAD_WIDTH, columns)
    var vectors = (columns - head) // LOAD_WIDTH
    var tail = head + vectors * LOAD_WIDTH

    # The first element belongs to the row, whatever the lane.
    var maxima = SIMD[dtype, LOAD_WIDTH](a[row, 0])
    var i = local_i
    while i + (LOADS_IN_FLIGHT - 1) * threads < vectors:
        comptime for load in range(LOADS_IN_FLIGHT):
            var first = head + (i + load * threads) * LOAD_WIDTH
            maxima = max(
                maxima,
                a.load[width=LOAD_WIDTH, alignment=16](Coord(row, first)),
            )
        i += LOADS_IN_FLIGHT * threads
    while i < vectors:
        var first = head + i * LOAD_WIDTH
        maxima = max(
            maxima, a.load[width=LOAD_WIDTH, alignment=16](Coord(row, first))
        )
        i += threads

    var largest = max(max(maxima[0], maxima[1]), max(maxima[2], maxima[3]))
    comptime if columns % LOAD_WIDTH != 0:
        if local_i < head:
            largest = max(largest, a[row, local_i])
        if local_i < columns - tail:
            largest = max(largest, a[row, tail + local_i])

    largest = _butterfly_max[WARP_SIZE](largest)

    comptime if warps == 1:
        if lane == 0:
            output[row, 0] = largest
    else:
        if lane == 0:
            partial[local_i // WARP_SIZE] = largest

        barrier()

        # The first warp leaves no lane out of the second exchange.
        if local_i < WARP_SIZE:
            largest = _butterfly_max[warps](partial[lane % warps])
            if lane == 0:
                output[row, 0] = largest
