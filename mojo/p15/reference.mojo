"""Puzzle 15 on a processor: the same sums, one after the other."""


def axis_sum[
    width: Int
](output: Span[mut=True, Float32, _], a: Span[Float32, _], size_dev: Int32,):
    """Writes the sum of the first elements of each row of `a` to the same row of `output`.

    Parameters:
        width: The lanes of a warp.

    Args:
        output: The sums, shape (rows, 1).
        a: The matrix, shape (rows, columns).
        size_dev: How many elements of a row count.
    """
    var columns = len(a) // len(output)
    for row in range(len(output)):
        var total = Float32(0)
        for column in range(Int(size_dev)):
            total += a[row * columns + column]
        output[row] = total
