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
