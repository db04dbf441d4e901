"""Puzzle 26 on a processor: warps are stretches of `width` elements."""


def butterfly_pair_swap[
    size: Int, width: Int
](output: Span[mut=True, Float32, _], input: Span[Float32, _],):
    """Swaps each pair of neighbours: `output[i] = input[i ^ 1]`.

    Parameters:
        size: The number of elements.
        width: The lanes of a warp.

    Args:
        output: The swapped vector, shape (size,).
        input: The vector, shape (size,).
    """
    for i in range(size):
        output[i] = input[i ^ 1]


def butterfly_parallel_max[
    size: Int, width: Int
](output: Span[mut=True, Float32, _], input: Span[Float32, _],):
    """Gives every element the maximum of its warp.

    Parameters:
        size: The number of elements, a multiple of `width`.
        width: The lanes of a warp.

    Args:
        output: The maxima, shape (size,).
        input: The vector, shape (size,).
    """
    for first in range(0, size, width):
        var largest = input[first]
        for i in range(first, first + width):
            largest = max(largest, input[i])
        for i in range(first, first + width):
            output[i] = largest


def butterfly_conditional_max[
    size: Int, width: Int
](output: Span[mut=True, Float32, _], input: Span[Float32, _],):
    """Gives even elements the maximum of their warp and odd ones its minimum.

    Parameters:
        size: The number of elements, a multiple of `width`.
        width: The lanes of a warp.

    Args:
        output: The maxima and minima, shape (size,).
        input: The vector, shape (size,).
    """
    for first in range(0, size, width):
        var largest = input[first]
        var smallest = largest
        for i in range(first, first + width):
            largest = max(largest, input[i])
            smallest = min(smallest, input[i])
        for i in range(first, first + width):
            output[i] = largest if i % 2 == 0 else smallest
