"""Fills the shared memory of every multiprocessor with a pattern.

Shared memory is not cleared between launches, and on an idle device it often
holds zeros.  After this kernel a read of what nobody wrote gives the pattern.
"""

from layout import TileTensor
from layout.tile_layout import row_major
from max.gpu import block_dim, block_idx, thread_idx
from max.gpu.memory import AddressSpace, external_memory
from max.gpu.sync import barrier

comptime dtype = DType.float32
"""The element type of the witness and of the pattern."""
comptime WORD_BYTES = 4
"""The bytes of the pattern."""


def dirty_shared[
    blocks: Int, shared_bytes: Int
](
    witness: TileTensor[
        mut=True, dtype, type_of(row_major[blocks]()), MutAnyOrigin
    ],
    pattern: TileTensor[
        mut=False, dtype, type_of(row_major[1]()), ImmutAnyOrigin
    ],
):
    """Fills `shared_bytes` of dynamic shared memory, and says so.

    Parameters:
        blocks: The blocks of the grid.
        shared_bytes: The dynamic shared memory of a block. When it is all that
            a multiprocessor has, one block covers one of them.

    Args:
        witness: 1 for each block that ran and reads the pattern back where
            another of its threads wrote it, shape (blocks,).
        pattern: What to fill with, shape (1,).

    Constraints:
        The grid has `blocks` blocks in x.
    """
    comptime words = shared_bytes // WORD_BYTES
    var memory = external_memory[
        Scalar[dtype], address_space=AddressSpace.SHARED, alignment=16
    ]()
    var local_i = Int(thread_idx.x)
    var threads = Int(block_dim.x)
    var word = rebind[Scalar[dtype]](pattern[0])
    for i in range(local_i, words, threads):
        memory.unsafe_store[volatile=True](i, word)

    barrier()

    if local_i == 0:
        var last = memory.unsafe_load[volatile=True](words - 1)
        # NaN differs from itself: compare the bits.
        var same = last.to_bits() == word.to_bits()
        witness[Int(block_idx.x)] = Scalar[dtype](1) if same else 0
