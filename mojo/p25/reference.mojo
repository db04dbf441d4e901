"""Puzzle 25 on a processor: warps are stretches of `width` elements."""


def neighbor_difference[
    size: Int, width: Int
](output: Span[mut=True, Float32, _], input: Span[Float32, _]):
    """Writes by how much the next element of a warp is larger, and 0 for the last one.

    Parameters:
        size: The number of elements, a multiple of `width`.
        width: The lanes of a warp.

    Args:
        output: The differences, shape (size,).
        input: The elements, shape (size,).
    """
    for i in range(size):
        output[i] = input[i + 1] - input[i] if i % width < width - 1 else 0


def moving_average_3[
    size: Int, width: Int
](output: Span[mut=True, Float32, _], input: Span[Float32, _]):
    """Writes the mean of an element and the two after it, of what there is of them in its warp.

    Parameters:
        size: The number of elements, a multiple of `width`.
        width: The lanes of a warp.

    Args:
        output: The means, shape (size,).
        input: The elements, shape (size,).
    """
    for i in range(size):
        var count = min(3, width - i % width)
        var total = Float32(0)
        for j in range(i, i + count):
            total += input[j]
        output[i] = total / Float32(count)


def broadcast_shuffle_coordination[
    size: Int, width: Int
](output: Span[mut=True, Float32, _], input: Span[Float32, _]):
    """Adds the next element of a warp, if there is one, and scales by the mean of the warp's first four.

    Parameters:
        size: The number of elements, a multiple of `width`.
        width: The lanes of a warp.

    Args:
        output: The scaled sums, shape (size,).
        input: The elements, shape (size,).
    """
    for i in range(size):
        var scale = Float32(0)
        for j in range(4):
            scale += input[i // width * width + j] / 4
        var after = input[i + 1] if i % width < width - 1 else 0
        output[i] = (input[i] + after) * scale


def basic_broadcast[
    size: Int, width: Int
](output: Span[mut=True, Float32, _], input: Span[Float32, _]):
    """Adds the sum of a warp's first four elements to each of its elements.

    Parameters:
        size: The number of elements, a multiple of `width`.
        width: The lanes of a warp.

    Args:
        output: The sums, shape (size,).
        input: The elements, shape (size,).
    """
    for i in range(size):
        output[i] = input[i]
        for j in range(4):
            output[i] += input[i // width * width + j]


def conditional_broadcast[
    size: Int, width: Int
](output: Span[mut=True, Float32, _], input: Span[Float32, _]):
    """Doubles what reaches half of the largest of a warp's first eight elements, and halves the rest.

    Parameters:
        size: The number of elements, a multiple of `width`.
        width: The lanes of a warp.

    Args:
        output: What was doubled or halved, shape (size,).
        input: The elements, shape (size,).
    """
    for i in range(size):
        var largest = input[i // width * width]
        for j in range(1, 8):
            largest = max(largest, input[i // width * width + j])
        output[i] = input[i] * 2 if input[i] >= largest / 2 else input[i] / 2
