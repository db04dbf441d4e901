"""Butterfly maximum at full size: one warp for each row of a matrix."""

from layout import Coord, TileTensor
from layout.tile_layout import TensorLayout
from max.gpu import block_dim, block_idx, lane_id, thread_idx
from max.gpu.primitives.warp import WARP_SIZE, shuffle_xor

comptime DTYPE = DType.float32
"""The element type of the matrix and of its maxima."""
comptime LOAD_WIDTH = 4
"""The elements of a vector load: 16 bytes, the widest there is."""
comptime LOADS_IN_FLIGHT = 8
"""The vector loads that a lane issues before it compares the first."""


def row_max[
    OutLayout: TensorLayout, InLayout: TensorLayout, rows: Int, columns: Int
](
    output: TileTensor[mut=True, DTYPE, OutLayout, MutAnyOrigin],
    a: TileTensor[mut=False, DTYPE, InLayout, ImmutAnyOrigin],
):
    """Writes the maximum of each row of `a` to the same row of `output`.

    Parameters:
        OutLayout: The layout of `output`.
        InLayout: The layout of `a`.
        rows: The number of rows.
        columns: The length of a row.

    Args:
        output: The maxima, shape (rows, 1).
        a: The matrix, shape (rows, columns), aligned to 16 bytes.

    Constraints:
        A block is a whole number of warps in x, the grid has at least `rows`
        warps in x.
    """
    comptime assert output.flat_rank == 2 and a.flat_rank == 2
    var lane = Int(lane_id())
    var row = Int(block_dim.x * block_idx.x + thread_idx.x) // WARP_SIZE

    # A warp leaves as a whole, so every lane of the others takes part in the
    # exchange.
    if row >= rows:
        return

    # Rows of an odd length start off the 16-byte grid: up to three elements
    # at either end are loaded one by one.
    var head = 0
    comptime if columns % LOAD_WIDTH != 0:
        head = min((-row * columns) % LOAD_WIDTH, columns)
    var vectors = (columns - head) // LOAD_WIDTH
    var tail = head + vectors * LOAD_WIDTH

    # The first element belongs to the row, whatever the lane.
    var maxima = SIMD[DTYPE, LOAD_WIDTH](a[row, 0])
    var i = lane
    while i + (LOADS_IN_FLIGHT - 1) * WARP_SIZE < vectors:
        comptime for load in range(LOADS_IN_FLIGHT):
            var first = head + (i + load * WARP_SIZE) * LOAD_WIDTH
            maxima = max(
                maxima,
                a.load[width=LOAD_WIDTH, alignment=16](Coord(row, first)),
            )
        i += LOADS_IN_FLIGHT * WARP_SIZE
    while i < vectors:
        var first = head + i * LOAD_WIDTH
        maxima = max(
            maxima, a.load[width=LOAD_WIDTH, alignment=16](Coord(row, first))
        )
        i += WARP_SIZE

    var largest = max(max(maxima[0], maxima[1]), max(maxima[2], maxima[3]))
    comptime if columns % LOAD_WIDTH != 0:
        if lane < head:
            largest = max(largest, a[row, lane])
        if lane < columns - tail:
            largest = max(largest, a[row, tail + lane])

    # After the step with offset d, lanes that differ only in bits d and
    # above hold the same value.
    var offset = WARP_SIZE // 2
    while offset > 0:
        largest = max(largest, shuffle_xor(largest, UInt32(offset)))
        offset //= 2

    if lane == 0:
        output[row, 0] = largest
