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


def warp_inclusive_prefix_sum[
    size: Int, width: Int
](output: Span[mut=True, Float32, _], input: Span[Float32, _],):
    """Gives every element the sum of its warp up to itself.

    Parameters:
        size: The number of elements, a multiple of `width`.
        width: The lanes of a warp.

    Args:
        output: The sums, shape (size,).
        input: The addends, shape (size,).
    """
    for i in range(size):
        output[i] = input[i] + (output[i - 1] if i % width > 0 else 0)


def warp_partition[
    size: Int, width: Int
](output: Span[mut=True, Float32, _], input: Span[Float32, _], pivot: Float32,):
    """Moves the elements below the pivot before the others, each of the two in the order that they came in.

    Parameters:
        size: The number of elements.
        width: The lanes of a warp.

    Args:
        output: The partitioned vector, shape (size,).
        input: The vector, shape (size,).
        pivot: What the elements are compared with.
    """
    var place = 0
    for below in range(2):
        for i in range(size):
            if (input[i] < pivot) != Bool(below):
                output[place] = input[i]
                place += 1
