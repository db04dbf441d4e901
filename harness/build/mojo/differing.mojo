"""Finds out whether two stretches of memory hold the same words.

A result of a hundred megabytes that is compared with the one before where it
lies takes a thousandth of a second, and many times that once it has come to the
host.
"""

from layout import TileTensor
from layout.tile_layout import row_major
from max.gpu import global_idx

comptime dtype = DType.uint32
"""The element type: bits, whatever they stand for."""


def differing[
    threads: Int, words: Int
](
    witness: TileTensor[
        mut=True, dtype, type_of(row_major[threads]()), MutAnyOrigin
    ],
    one: TileTensor[
        mut=False, dtype, type_of(row_major[words]()), ImmutAnyOrigin
    ],
    other: TileTensor[
        mut=False, dtype, type_of(row_major[words]()), ImmutAnyOrigin
    ],
):
    """Says for each thread whether it found words that differ.

    Parameters:
        threads: The threads of the grid.
        words: The words of each stretch.

    Args:
        witness: Set to 1 by each thread that found some, shape (threads,).
        one: The first stretch, shape (words,).
        other: The second one, shape (words,).

    Constraints:
        The grid has `threads` threads in x.
    """
    var global_i = Int(global_idx.x)
    var differ = Scalar[dtype](0)
    for i in range(global_i, words, threads):
        differ |= rebind[Scalar[dtype]](one[i]) ^ rebind[Scalar[dtype]](
            other[i]
        )
    if differ != 0:
        witness[global_i] = 1
