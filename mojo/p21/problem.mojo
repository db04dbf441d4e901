"""Puzzle 21: an embedding as two custom ops, whose threads lie in one row or in a plane."""

from extensibility import InputTensor, OutputTensor, register
from layout import TensorLayout, TileTensor
from layout.tile_layout import row_major
from max.gpu import block_dim, block_idx, thread_idx
from max.gpu.host import DeviceContext
from std.math import ceildiv

comptime THREADS_PER_BLOCK = 256
"""The threads of a block that lie in one row."""
comptime BLOCK_X = 16
"""Positions of a block whose threads lie in a plane."""
comptime BLOCK_Y = 16
"""Elements of each of these positions."""


def embedding_kernel_coalesced[
    batch_size: Int,
    seq_len: Int,
    vocab_size: Int,
    embed_dim: Int,
    OutLayout: TensorLayout,
    IndicesLayout: TensorLayout,
    WeightsLayout: TensorLayout,
    dtype: DType = DType.float32,
](
    output: TileTensor[mut=True, dtype, OutLayout, MutAnyOrigin],
    indices: TileTensor[mut=True, DType.int32, IndicesLayout, MutAnyOrigin],
    weights: TileTensor[mut=True, dtype, WeightsLayout, MutAnyOrigin],
):
    """Writes to each position the row of `weights` that its index names, neighbouring threads neighbouring elements.

    Parameters:
        batch_size: The sequences.
        seq_len: The positions of each.
        vocab_size: The rows of `weights`.
        embed_dim: The elements of a row.
        OutLayout: The type of the layout of `output`.
        IndicesLayout: The type of the layout of `indices`.
        WeightsLayout: The type of the layout of `weights`.
        dtype: The element type.

    Args:
        output: The rows, shape (batch_size, seq_len, embed_dim); zeros for an index that names none.
        indices: The numbers of the rows, shape (batch_size, seq_len).
        weights: The table, shape (vocab_size, embed_dim).

    Constraints:
        The grid has a thread for each element of `output`, in x.
    """
    comptime assert output.flat_rank == 3, "output has three axes"
    var global_idx = Int(block_idx.x * block_dim.x + thread_idx.x)

    # FILL ME IN: about 9 lines
    pass
    # END OF FILL ME IN


def embedding_kernel_2d[
    batch_size: Int,
    seq_len: Int,
    vocab_size: Int,
    embed_dim: Int,
    OutLayout: TensorLayout,
    IndicesLayout: TensorLayout,
    WeightsLayout: TensorLayout,
    dtype: DType = DType.float32,
](
    output: TileTensor[mut=True, dtype, OutLayout, MutAnyOrigin],
    indices: TileTensor[mut=True, DType.int32, IndicesLayout, MutAnyOrigin],
    weights: TileTensor[mut=True, dtype, WeightsLayout, MutAnyOrigin],
):
    """Does the same, neighbouring threads at neighbouring positions: the elements that they touch lie a row apart.

    Parameters:
        batch_size: The sequences.
        seq_len: The positions of each.
        vocab_size: The rows of `weights`.
        embed_dim: The elements of a row.
        OutLayout: The type of the layout of `output`.
        IndicesLayout: The type of the layout of `indices`.
        WeightsLayout: The type of the layout of `weights`.
        dtype: The element type.

    Args:
        output: The rows, shape (batch_size, seq_len, embed_dim); zeros for an index that names none.
        indices: The numbers of the rows, shape (batch_size, seq_len).
        weights: The table, shape (vocab_size, embed_dim).

    Constraints:
        The grid has a thread for each position of all sequences in x, and for each element of a row in y.
    """
    comptime assert output.flat_rank == 3, "output has three axes"
    var batch_seq_idx = Int(block_idx.x * block_dim.x + thread_idx.x)
    var embed_idx = Int(block_idx.y * block_dim.y + thread_idx.y)

    # FILL ME IN: about 8 lines
    pass
    # END OF FILL ME IN


@register("embedding")
struct EmbeddingCustomOp:
    """The op `embedding`."""

    @staticmethod
    def execute[
        target: StaticString,
        batch_size: Int,
        seq_len: Int,
        vocab_size: Int,
        embed_dim: Int,
    ](
        output: OutputTensor[dtype=DType.float32, rank=3, static_spec=_],
        indices: InputTensor[dtype=DType.int32, rank=2, static_spec=_],
        weights: InputTensor[dtype=output.dtype, rank=2, static_spec=_],
        ctx: DeviceContext,
    ) raises:
        """Launches `embedding_kernel_coalesced`.

        Parameters:
            target: What it is compiled for: `gpu`.
            batch_size: The sequences.
            seq_len: The positions of each.
            vocab_size: The rows of `weights`.
            embed_dim: The elements of a row.

        Args:
            output: The rows, shape (batch_size, seq_len, embed_dim).
            indices: The numbers of the rows, shape (batch_size, seq_len).
            weights: The table, shape (vocab_size, embed_dim).
            ctx: Where they lie.

        Raises:
            The launch fails.
        """
        comptime if target == "gpu":
            comptime out_layout = row_major[batch_size, seq_len, embed_dim]()
            comptime indices_layout = row_major[batch_size, seq_len]()
            comptime weights_layout = row_major[vocab_size, embed_dim]()
            comptime kernel = embedding_kernel_coalesced[
                batch_size,
                seq_len,
                vocab_size,
                embed_dim,
                type_of(out_layout),
                type_of(indices_layout),
                type_of(weights_layout),
                output.dtype,
            ]
            comptime elements = batch_size * seq_len * embed_dim
            ctx.enqueue_function[kernel](
                TileTensor[
                    mut=True, output.dtype, type_of(out_layout), MutAnyOrigin
                ](
                    output.unsafe_ptr().unsafe_bitcast[Scalar[output.dtype]](),
                    out_layout,
                ),
                TileTensor[
                    mut=True, DType.int32, type_of(indices_layout), MutAnyOrigin
                ](indices.unsafe_ptr().unsafe_bitcast[Int32](), indices_layout),
                TileTensor[
                    mut=True,
                    output.dtype,
                    type_of(weights_layout),
                    MutAnyOrigin,
                ](
                    weights.unsafe_ptr().unsafe_bitcast[Scalar[output.dtype]](),
                    weights_layout,
                ),
                grid_dim=ceildiv(elements, THREADS_PER_BLOCK),
                block_dim=THREADS_PER_BLOCK,
            )
        else:
            raise Error("the op embedding runs on gpu")


@register("embedding_2d")
struct Embedding2DCustomOp:
    """The op `embedding_2d`."""

    @staticmethod
    def execute[
        target: StaticString,
        batch_size: Int,
        seq_len: Int,
        vocab_size: Int,
        embed_dim: Int,
    ](
        output: OutputTensor[dtype=DType.float32, rank=3, static_spec=_],
        indices: InputTensor[dtype=DType.int32, rank=2, static_spec=_],
        weights: InputTensor[dtype=output.dtype, rank=2, static_spec=_],
        ctx: DeviceContext,
    ) raises:
        """Launches `embedding_kernel_2d`.

        Parameters:
            target: What it is compiled for: `gpu`.
            batch_size: The sequences.
            seq_len: The positions of each.
            vocab_size: The rows of `weights`.
            embed_dim: The elements of a row.

        Args:
            output: The rows, shape (batch_size, seq_len, embed_dim).
            indices: The numbers of the rows, shape (batch_size, seq_len).
            weights: The table, shape (vocab_size, embed_dim).
            ctx: Where they lie.

        Raises:
            The launch fails.
        """
        comptime if target == "gpu":
            comptime out_layout = row_major[batch_size, seq_len, embed_dim]()
            comptime indices_layout = row_major[batch_size, seq_len]()
            comptime weights_layout = row_major[vocab_size, embed_dim]()
            comptime kernel = embedding_kernel_2d[
                batch_size,
                seq_len,
                vocab_size,
                embed_dim,
                type_of(out_layout),
                type_of(indices_layout),
                type_of(weights_layout),
                output.dtype,
            ]
            ctx.enqueue_function[kernel](
                TileTensor[
                    mut=True, output.dtype, type_of(out_layout), MutAnyOrigin
                ](
                    output.unsafe_ptr().unsafe_bitcast[Scalar[output.dtype]](),
                    out_layout,
                ),
                TileTensor[
                    mut=True, DType.int32, type_of(indices_layout), MutAnyOrigin
                ](indices.unsafe_ptr().unsafe_bitcast[Int32](), indices_layout),
                TileTensor[
                    mut=True,
                    output.dtype,
                    type_of(weights_layout),
                    MutAnyOrigin,
                ](
                    weights.unsafe_ptr().unsafe_bitcast[Scalar[output.dtype]](),
                    weights_layout,
                ),
                grid_dim=(
                    ceildiv(batch_size * seq_len, BLOCK_X),
                    ceildiv(embed_dim, BLOCK_Y),
                ),
                block_dim=(BLOCK_X, BLOCK_Y),
            )
        else:
            raise Error("the op embedding_2d runs on gpu")
