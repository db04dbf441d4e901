"""Puzzle 24 on a processor: one product after the other."""

from layout.tile_layout import TensorLayout


def traditional_dot_product_p12_style[
    InLayoutT: TensorLayout, OutLayoutT: TensorLayout, size: Int, width: Int
](output: Span[mut=True, Float32, _], a: Span[Float32, _], b: Span[Float32, _]):
    """Writes the dot product of each warp's elements.

    Parameters:
        InLayoutT: The type of the vectors' layout.
        OutLayoutT: The type of the products' layout.
        size: The elements of each vector.
        width: The lanes of a warp.

    Args:
        output: The dot product of each warp.
        a: One factor each, shape (size,).
        b: The other factor each, shape (size,).
    """
    for warp in range(size // width):
        var total = Float32(0)
        for i in range(warp * width, (warp + 1) * width):
            total += a[i] * b[i]
        output[warp] = total


comptime simple_warp_dot_product = traditional_dot_product_p12_style
"""The same, whatever lanes exchange.

Parameters:
    InLayoutT: The type of the vectors' layout.
    OutLayoutT: The type of the products' layout.
    size: The elements of each vector.
    width: The lanes of a warp.
"""
