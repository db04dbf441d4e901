"""Puzzle 16 on a processor: one element of a product after the other."""


def naive_matmul[
    size: Int, width: Int
](
    output: Span[mut=True, Float32, _],
    a: Span[Float32, _],
    b: Span[Float32, _],
):
    """Writes the product of `a` and `b`.

    Parameters:
        size: The rows and columns of each matrix.
        width: The lanes of a warp.

    Args:
        output: The product, shape (size, size).
        a: The left factor, shape (size, size).
        b: The right factor, shape (size, size).
    """
    for row in range(size):
        for col in range(size):
            var total = Float32(0)
            for k in range(size):
                total += a[row * size + k] * b[k * size + col]
            output[row * size + col] = total


comptime single_block_matmul = naive_matmul
"""The same, whatever a block holds in shared memory.

Parameters:
    size: The rows and columns of each matrix.
    width: The lanes of a warp.
"""
comptime matmul_tiled = naive_matmul
"""The same, whatever tiles a block holds.

Parameters:
    size: The rows and columns of each matrix.
    width: The lanes of a warp.
"""
comptime matmul_idiomatic_tiled = naive_matmul
"""The same, whatever copies the tiles.

Parameters:
    size: The rows and columns of each matrix.
    width: The lanes of a warp.
"""
