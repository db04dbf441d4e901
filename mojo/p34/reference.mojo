"""Puzzle 34 on a processor: the blocks one after the other, and then their sum."""


def cluster_collective_operations[
    tpb: Int, width: Int
](
    output: Span[mut=True, Float32, _],
    input: Span[Float32, _],
    temp_storage: Span[mut=True, Float32, _],
    size_dev: Int32,
):
    """Writes the sum of `input` to `output[0]`.

    Parameters:
        tpb: The threads of a block.
        width: The lanes of a warp.

    Args:
        output: The sum, shape (1,).
        input: The vector, shape (size,).
        temp_storage: The partial sum of each block, shape (blocks,).
        size_dev: The number of elements of `input`.
    """
    var total = Float32(0)
    for block in range(len(temp_storage)):
        var partial = Float32(0)
        for i in range(block * tpb, min((block + 1) * tpb, Int(size_dev))):
            partial += input[i]
        temp_storage[block] = partial
        total += partial
    output[0] = total


def cluster_coordination_basics[
    tpb: Int, width: Int
](
    output: Span[mut=True, Float32, _],
    input: Span[Float32, _],
    size_dev: Int32,
):
    """Writes the sum of each block's part of `input`, times one more than the block's rank.

    Parameters:
        tpb: The threads of a block.
        width: The lanes of a warp.

    Args:
        output: The sum of each block, shape (blocks,).
        input: The vector, shape (size,).
        size_dev: The number of elements of `input`.
    """
    for block in range(len(output)):
        var total = Float32(0)
        for i in range(block * tpb, min((block + 1) * tpb, Int(size_dev))):
            total += input[i] * Float32(block + 1)
        output[block] = total


comptime advanced_cluster_patterns = cluster_coordination_basics
"""The same, whoever adds.

Parameters:
    tpb: The threads of a block.
    width: The lanes of a warp.
"""
