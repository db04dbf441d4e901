"""Puzzle 27: sums, positions and a value for all threads of a block, by the library's block operations."""

from std.math import floor

from layout import TileTensor
from layout.tile_layout import row_major
from layout.tile_tensor import stack_allocation
from max.gpu import block_dim, block_idx, thread_idx
from max.gpu.memory import AddressSpace
from max.gpu.primitives import block
from max.gpu.sync import barrier

comptime SIZE = 128
"""The elements of each vector."""
comptime TPB = 128
"""The threads of a block, a power of two."""
comptime NUM_BINS = 8
"""The bins of the histogram."""
comptime in_layout = row_major[SIZE]()
"""Where the elements of a vector lie."""
comptime out_layout = row_major[1]()
"""Where a single result lies."""
comptime dtype = DType.float32
"""The element type."""
comptime InLayout = type_of(in_layout)
"""The type of `in_layout`."""
comptime OutLayout = type_of(out_layout)
"""The type of `out_layout`."""
comptime bin_layout = row_major[SIZE]()
"""Where the elements of a bin lie, with room for all of them."""
comptime BinLayout = type_of(bin_layout)
"""The type of `bin_layout`."""
comptime vector_layout = row_major[SIZE]()
"""Where the elements of a result lie that is as long as a vector."""
comptime VectorLayout = type_of(vector_layout)
"""The type of `vector_layout`."""


def block_sum_dot_product[
    tpb: Int
](
    output: TileTensor[mut=True, dtype, OutLayout, MutAnyOrigin],
    a: TileTensor[mut=False, dtype, InLayout, ImmutAnyOrigin],
    b: TileTensor[mut=False, dtype, InLayout, ImmutAnyOrigin],
    size_dev: Int32,
):
    """Writes the sum of the products of all pairs of elements, added by `block.sum`.

    Parameters:
        tpb: The threads of a block.

    Args:
        output: The dot product, shape (1,).
        a: One factor each, shape (SIZE,).
        b: The other factor each, shape (SIZE,).
        size_dev: How many pairs there are, at most `tpb`.

    Constraints:
        There is one block, of `tpb` threads in x.
    """
    var size = Int(size_dev)
    var global_i = block_dim.x * block_idx.x + thread_idx.x
    var local_i = thread_idx.x

    # FILL ME IN: about 6 lines
    pass
    # END OF FILL ME IN


def traditional_dot_product[
    tpb: Int
](
    output: TileTensor[mut=True, dtype, OutLayout, MutAnyOrigin],
    a: TileTensor[mut=False, dtype, InLayout, ImmutAnyOrigin],
    b: TileTensor[mut=False, dtype, InLayout, ImmutAnyOrigin],
    size_dev: Int32,
):
    """Writes the sum of the products of all pairs of elements, added in a tree in shared memory.

    Parameters:
        tpb: The threads of a block, a power of two.

    Args:
        output: The dot product, shape (1,).
        a: One factor each, shape (SIZE,).
        b: The other factor each, shape (SIZE,).
        size_dev: How many pairs there are, at most `tpb`.

    Constraints:
        There is one block, of `tpb` threads in x.
    """
    var size = Int(size_dev)
    var global_i = block_dim.x * block_idx.x + thread_idx.x
    var local_i = thread_idx.x

    # FILL ME IN: about 18 lines
    pass
    # END OF FILL ME IN


def block_histogram_bin_extract[
    tpb: Int
](
    input_data: TileTensor[mut=False, dtype, InLayout, ImmutAnyOrigin],
    bin_output: TileTensor[mut=True, dtype, BinLayout, MutAnyOrigin],
    count_output: TileTensor[mut=True, DType.int32, OutLayout, MutAnyOrigin],
    size_dev: Int32,
    target_bin_dev: Int32,
    num_bins_dev: Int32,
):
    """Collects the elements of one bin, in the order that they came in, and counts them.

    Bins are equal parts of 0 to 1; what lies outside belongs to the first or last one.

    Parameters:
        tpb: The threads of a block.

    Args:
        input_data: The elements, shape (SIZE,).
        bin_output: Those of the bin, shape (SIZE,); what is behind them stays as it was.
        count_output: How many they are, shape (1,).
        size_dev: How many elements there are, at most `tpb`.
        target_bin_dev: The bin.
        num_bins_dev: How many bins there are.

    Constraints:
        There is one block, of `tpb` threads in x.
    """
    var size = Int(size_dev)
    var target_bin = Int(target_bin_dev)
    var num_bins = Int(num_bins_dev)
    var global_i = block_dim.x * block_idx.x + thread_idx.x
    var local_i = thread_idx.x

    # FILL ME IN: about 17 lines
    pass
    # END OF FILL ME IN


def block_normalize_vector[
    tpb: Int
](
    input_data: TileTensor[mut=False, dtype, InLayout, ImmutAnyOrigin],
    output_data: TileTensor[mut=True, dtype, VectorLayout, MutAnyOrigin],
    size_dev: Int32,
):
    """Divides each element by the mean of all, or by 1 where their sum is not positive.

    Parameters:
        tpb: The threads of a block.

    Args:
        input_data: The elements, shape (SIZE,).
        output_data: The quotients, shape (SIZE,).
        size_dev: How many elements there are, at most `tpb`.

    Constraints:
        There is one block, of `tpb` threads in x.
    """
    var size = Int(size_dev)
    var global_i = block_dim.x * block_idx.x + thread_idx.x
    var local_i = thread_idx.x

    # FILL ME IN: about 12 lines
    pass
    # END OF FILL ME IN
