"""Puzzle 27 on a processor: one element after the other."""

from std.math import floor


def block_sum_dot_product[
    tpb: Int, width: Int
](
    output: Span[mut=True, Float32, _],
    a: Span[Float32, _],
    b: Span[Float32, _],
    size_dev: Int32,
):
    """Writes the sum of the products of all pairs of elements.

    Parameters:
        tpb: The threads of a block.
        width: The lanes of a warp.

    Args:
        output: The dot product, shape (1,).
        a: One factor each, shape (SIZE,).
        b: The other factor each, shape (SIZE,).
        size_dev: How many pairs there are.
    """
    var total = Float32(0)
    for i in range(Int(size_dev)):
        total += a[i] * b[i]
    output[0] = total


comptime traditional_dot_product = block_sum_dot_product
"""The same, whoever adds.

Parameters:
    tpb: The threads of a block.
    width: The lanes of a warp.
"""


def block_histogram_bin_extract[
    tpb: Int, width: Int
](
    input_data: Span[Float32, _],
    bin_output: Span[mut=True, Float32, _],
    count_output: Span[mut=True, Int32, _],
    size_dev: Int32,
    target_bin_dev: Int32,
    num_bins_dev: Int32,
):
    """Collects the elements of one bin, in the order that they came in, and counts them.

    Parameters:
        tpb: The threads of a block.
        width: The lanes of a warp.

    Args:
        input_data: The elements, shape (SIZE,).
        bin_output: Those of the bin, shape (SIZE,); what is behind them stays as it was.
        count_output: How many they are, shape (1,).
        size_dev: How many elements there are.
        target_bin_dev: The bin.
        num_bins_dev: How many bins there are.
    """
    var count = 0
    for i in range(Int(size_dev)):
        var bin = Int(floor(input_data[i] * Float32(Int(num_bins_dev))))
        if min(max(bin, 0), Int(num_bins_dev) - 1) == Int(target_bin_dev):
            bin_output[count] = input_data[i]
            count += 1
    count_output[0] = Int32(count)


def block_normalize_vector[
    tpb: Int, width: Int
](
    input_data: Span[Float32, _],
    output_data: Span[mut=True, Float32, _],
    size_dev: Int32,
):
    """Divides each element by the mean of all, or by 1 where their sum is not positive.

    Parameters:
        tpb: The threads of a block.
        width: The lanes of a warp.

    Args:
        input_data: The elements, shape (SIZE,).
        output_data: The quotients, shape (SIZE,).
        size_dev: How many elements there are.
    """
    var size = Int(size_dev)
    var total = Float32(0)
    for i in range(size):
        total += input_data[i]
    var mean = total / Float32(size) if total > 0 else Float32(1)
    for i in range(size):
        output_data[i] = input_data[i] / mean
