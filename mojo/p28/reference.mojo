"""Puzzle 28 on a processor: one tile after the other."""


def async_copy_overlap_convolution[
    dtype: DType, width: Int
](
    output: Span[mut=True, Float32, _],
    input: Span[Float32, _],
    kernel: Span[Float32, _],
):
    """Writes for each element the weighted sum of it and those around it in its tile.

    Parameters:
        dtype: The type of the elements.
        width: The lanes of a warp.

    Args:
        output: The sums, and at both ends of each tile the elements themselves, shape (size,).
        input: The vector, shape (size,).
        kernel: The weights, shape (weights,).
    """
    comptime tile = 256
    var halo = len(kernel) // 2
    for i in range(len(output)):
        output[i] = input[i]
        if halo <= i % tile < tile - halo:
            output[i] = 0
            for k in range(len(kernel)):
                output[i] += input[i + k - halo] * kernel[k]
