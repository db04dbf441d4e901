"""What the harness's own kernels leave behind, on a processor."""


def dirty_shared[
    blocks: Int, shared_bytes: Int, width: Int
](witness: Span[mut=True, Float32, _], pattern: Span[Float32, _],):
    """Says that every block ran: a processor has no shared memory to fill.

    Parameters:
        blocks: The blocks of the grid.
        shared_bytes: The dynamic shared memory of a block.
        width: The lanes of a warp.

    Args:
        witness: 1 for each block, shape (blocks,).
        pattern: What to fill with, shape (1,).
    """
    for block in range(blocks):
        witness[block] = 1


def differing[
    threads: Int, words: Int, width: Int
](
    witness: Span[mut=True, UInt32, _],
    one: Span[UInt32, _],
    other: Span[UInt32, _],
):
    """Says for each thread of a grid whether words that it compares differ.

    Parameters:
        threads: The threads of the grid.
        words: The words of each stretch.
        width: The lanes of a warp.

    Args:
        witness: Set to 1 for each that finds some, shape (threads,).
        one: The first stretch, shape (words,).
        other: The second one, shape (words,).
    """
    for i in range(words):
        if one[i] != other[i]:
            witness[i % threads] = 1
