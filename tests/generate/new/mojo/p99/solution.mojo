"""Puzzle 99: ten is to be added to each element, in a program where something is wrong."""

from layout import TileTensor
from layout.tile_layout import row_major
from max.gpu import thread_idx

comptime SIZE = 4
"""The elements of the vectors."""
comptime dtype = DType.float32
"""Their type."""
comptime layout = row_major[SIZE]()
"""Where they lie."""
comptime LayoutType = type_of(layout)
"""The type of `layout`."""


def add_10(
    output: TileTensor[mut=True, dtype, LayoutType, MutAnyOrigin],
    a: TileTensor[mut=False, dtype, LayoutType, ImmutAnyOrigin],
):
    """Writes the elements of `a`, each with ten more, to `output`.

    Args:
        output: The sums, shape (SIZE,).
        a: The vector, shape (SIZE,).

    Constraints:
        The block has `SIZE` threads in x.
    """
    var i = thread_idx.x

    output[i] = a[i] + 10
