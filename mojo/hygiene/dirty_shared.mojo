"""Fills the shared memory of every multiprocessor with a pattern.

Shared memory is not cleared between launches, and on an idle device it often
holds zeros.  After this kernel a read of what nobody wrote gives the pattern.
"""

from layout import TileTensor
from layout.tile_layout import TensorLayout
from max.gpu import block_dim, block_idx, thread_idx
from max.gpu.memory import AddressSpace, external_memory
from max.gpu.sync import barrier

comptime DTYPE = DType.float32
"""The element type of the witness and of the pattern."""
comptime WORD_BYTES = 4
"""The bytes of the pattern."""


def dirty_shared[
    WitnessLayout: TensorLayout, PatternLayout: TensorLayout, shared_bytes: Int
](
    witness: TileTensor[mut=True, DTYPE, WitnessLayout, MutAnyOrigin],
    pattern: TileTensor[mut=False, DTYPE, PatternLayout, ImmutAnyOrigin],
):
    """Fills `shared_bytes` of dynamic shared memory, and says so.

    Parameters:
        WitnessLayout: The layout of `witness`.
        PatternLayout: The layout of `pattern`.
        shared_bytes: The dynamic shared memory of a block. When it is all that
            a multiprocessor has, one block covers one of them.

    Args:
        witness: 1 for each block that ran and reads the pattern back where
            another of its threads wrote it, shape (blocks,).
        pattern: What to fill with, shape (1,).

    Constraints:
        The grid has as many blocks in x as `witness` has elements.
    """
    comptime assert witness.flat_rank == 1 and pattern.flat_rank == 1
    comptime words = shared_bytes // WORD_BYTES
    var memory = external_memory[
        Scalar[DTYPE], address_space=AddressSpace.SHARED, alignment=16
    ]()
    var local_i = Int(thread_idx.x)
    var threads = Int(block_dim.x)
    var word = rebind[Scalar[DTYPE]](pattern[0])
    for i in range(local_i, words, threads):
        memory.unsafe_store[volatile=True](i, word)

    barrier()

    if local_i == 0:
        var last = memory.unsafe_load[volatile=True](words - 1)
        # NaN differs from itself: compare the bits.
        var same = last.to_bits() == word.to_bits()
        witness[Int(block_idx.x)] = Scalar[DTYPE](1) if same else 0
