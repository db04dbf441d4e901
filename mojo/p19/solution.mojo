"""Puzzle 19: attention as a custom op of MAX, of four launches, and for a processor."""

from extensibility import InputTensor, OutputTensor, register
from layout import TensorLayout, TileTensor
from layout.tile_layout import row_major
from layout.tile_tensor import stack_allocation
from max.gpu import block_dim, block_idx, thread_idx
from max.gpu.host import DeviceContext
from max.gpu.memory import AddressSpace
from max.gpu.sync import barrier
from std.bit import log2_ceil
from std.math import exp
from std.utils.numerics import min_finite

comptime SEQ_LEN = 16
"""The keys, and the values."""
comptime D = 16
"""The elements of the query, and of each key and value."""
comptime TRANSPOSE_BLOCK_DIM_XY = 16
"""The threads in x and in y of a block that transposes."""
comptime MATMUL_BLOCK_DIM_XY = 16
"""The threads in x and in y of a block that multiplies."""
comptime MATMUL_NUM_THREADS = MATMUL_BLOCK_DIM_XY * MATMUL_BLOCK_DIM_XY
"""The threads of a block that multiplies, all together."""
comptime MATMUL_BLOCK_DIM_COUNT = 2
"""The axes on which these are counted."""
comptime SOFTMAX_BLOCK_DIM_X = 1 << log2_ceil(SEQ_LEN)
"""The threads of the block that takes the softmax: a power of two, at least `SEQ_LEN`."""


def matmul_idiomatic_tiled[
    rows: Int,
    cols: Int,
    inner: Int,
    OutLayout: TensorLayout,
    ALayout: TensorLayout,
    BLayout: TensorLayout,
    dtype: DType = DType.float32,
](
    output: TileTensor[mut=True, dtype, OutLayout, MutAnyOrigin],
    a: TileTensor[mut=True, dtype, ALayout, MutAnyOrigin],
    b: TileTensor[mut=True, dtype, BLayout, MutAnyOrigin],
):
    """Writes the product of `a` and `b`, of which a block holds a tile at a time.

    Parameters:
        rows: The rows of `a` and of `output`.
        cols: The columns of `b` and of `output`.
        inner: The columns of `a`, and the rows of `b`.
        OutLayout: The type of the layout of `output`.
        ALayout: The type of the layout of `a`.
        BLayout: The type of the layout of `b`.
        dtype: The element type.

    Args:
        output: The product, shape (rows, cols).
        a: The left factor, shape (rows, inner).
        b: The right factor, shape (inner, cols).

    Constraints:
        A block has `MATMUL_BLOCK_DIM_XY` threads in x and in y, and the
        blocks cover the product.
    """
    comptime assert output.flat_rank == 2, "output is a matrix"
    comptime side = MATMUL_BLOCK_DIM_XY
    var local_row = Int(thread_idx.y)
    var local_col = Int(thread_idx.x)
    var tiled_row = Int(block_idx.y) * side + local_row
    var tiled_col = Int(block_idx.x) * side + local_col

    var a_shared = stack_allocation[
        dtype=dtype, address_space=AddressSpace.SHARED
    ](row_major[side, side]())
    var b_shared = stack_allocation[
        dtype=dtype, address_space=AddressSpace.SHARED
    ](row_major[side, side]())

    var total = Scalar[dtype](0)
    for first in range(0, inner, side):
        # What lies outside of a matrix adds nothing to a sum.
        var a_value = Scalar[dtype](0)
        if tiled_row < rows and first + local_col < inner:
            a_value = rebind[Scalar[dtype]](a[tiled_row, first + local_col])
        a_shared[local_row, local_col] = a_value
        var b_value = Scalar[dtype](0)
        if first + local_row < inner and tiled_col < cols:
            b_value = rebind[Scalar[dtype]](b[first + local_row, tiled_col])
        b_shared[local_row, local_col] = b_value

        barrier()

        comptime for k in range(side):
            total += rebind[Scalar[dtype]](a_shared[local_row, k]) * rebind[
                Scalar[dtype]
            ](b_shared[k, local_col])

        barrier()

    if tiled_row < rows and tiled_col < cols:
        output[tiled_row, tiled_col] = total


def transpose_kernel[
    rows: Int,
    cols: Int,
    OutLayout: TensorLayout,
    InLayout: TensorLayout,
    dtype: DType = DType.float32,
](
    output: TileTensor[mut=True, dtype, OutLayout, MutAnyOrigin],
    inp: TileTensor[mut=True, dtype, InLayout, MutAnyOrigin],
):
    """Writes a matrix with its rows as columns.

    Parameters:
        rows: The rows of `inp`, which are the columns of `output`.
        cols: The columns of `inp`.
        OutLayout: The type of the layout of `output`.
        InLayout: The type of the layout of `inp`.
        dtype: The element type.

    Args:
        output: The transposed matrix, shape (cols, rows).
        inp: The matrix, shape (rows, cols).

    Constraints:
        A block has `TRANSPOSE_BLOCK_DIM_XY` threads in x and in y, and the
        blocks cover `inp`.
    """
    comptime assert output.flat_rank == 2, "output is a matrix"

    # FILL ME IN: about 18 lines
    comptime side = TRANSPOSE_BLOCK_DIM_XY
    var local_row = Int(thread_idx.y)
    var local_col = Int(thread_idx.x)
    var tile = stack_allocation[dtype=dtype, address_space=AddressSpace.SHARED](
        row_major[side, side]()
    )

    var row = Int(block_idx.y) * side + local_row
    var col = Int(block_idx.x) * side + local_col
    if row < rows and col < cols:
        tile[local_row, local_col] = inp[row, col]

    barrier()

    # Neighbours in x write neighbours, as they read them: the tile is turned in shared memory.
    var out_row = Int(block_idx.x) * side + local_row
    var out_col = Int(block_idx.y) * side + local_col
    if out_row < cols and out_col < rows:
        output[out_row, out_col] = tile[local_col, local_row]
    # END OF FILL ME IN


def softmax_gpu_kernel[
    input_size: Int,
    LayoutType: TensorLayout,
    dtype: DType = DType.float32,
](
    output: TileTensor[mut=True, dtype, LayoutType, MutAnyOrigin],
    input: TileTensor[mut=True, dtype, LayoutType, MutAnyOrigin],
):
    """Writes the share that the power of each element has in the sum of all powers.

    Parameters:
        input_size: The elements of both, at most `SOFTMAX_BLOCK_DIM_X`.
        LayoutType: The type of the layout of both.
        dtype: The element type.

    Args:
        output: The shares, shape (input_size); it may be `input`.
        input: The exponents, shape (input_size).

    Constraints:
        There is one block, of `SOFTMAX_BLOCK_DIM_X` threads in x.
    """
    comptime assert dtype.is_floating_point(), "dtype is a floating-point type"
    comptime assert output.flat_rank == 1, "output is a vector"
    var global_i = Int(block_dim.x * block_idx.x + thread_idx.x)
    var shared_max = stack_allocation[
        dtype=dtype, address_space=AddressSpace.SHARED
    ](row_major[SOFTMAX_BLOCK_DIM_X]())
    var shared_sum = stack_allocation[
        dtype=dtype, address_space=AddressSpace.SHARED
    ](row_major[SOFTMAX_BLOCK_DIM_X]())

    var value = min_finite[dtype]()  # where there is no element
    if global_i < input_size:
        value = rebind[Scalar[dtype]](input[global_i])
    shared_max[global_i] = value

    barrier()

    var stride = SOFTMAX_BLOCK_DIM_X // 2
    while stride > 0:
        if global_i < stride:
            shared_max[global_i] = max(
                shared_max[global_i], shared_max[global_i + stride]
            )
        barrier()
        stride //= 2

    var power = Scalar[dtype](0)
    if global_i < input_size:
        power = exp(value - rebind[Scalar[dtype]](shared_max[0]))
    shared_sum[global_i] = power

    barrier()

    stride = SOFTMAX_BLOCK_DIM_X // 2
    while stride > 0:
        if global_i < stride:
            shared_sum[global_i] += shared_sum[global_i + stride]
        barrier()
        stride //= 2

    if global_i < input_size:
        output[global_i] = power / shared_sum[0]


def attention_cpu_kernel[
    seq_len: Int,
    d: Int,
    OutLayout: TensorLayout,
    QLayout: TensorLayout,
    KLayout: TensorLayout,
    VLayout: TensorLayout,
    dtype: DType = DType.float32,
](
    output: TileTensor[mut=True, dtype, OutLayout, MutAnyOrigin],
    q: TileTensor[mut=True, dtype, QLayout, MutAnyOrigin],
    k: TileTensor[mut=True, dtype, KLayout, MutAnyOrigin],
    v: TileTensor[mut=True, dtype, VLayout, MutAnyOrigin],
):
    """Does all of it on the processor.

    Parameters:
        seq_len: The keys, and the values.
        d: The elements of the query, and of each key and value.
        OutLayout: The type of the layout of `output`.
        QLayout: The type of the layout of `q`.
        KLayout: The type of the layout of `k`.
        VLayout: The type of the layout of `v`.
        dtype: The element type.

    Args:
        output: The weighted sum of the values, shape (d).
        q: The query, shape (d).
        k: The keys, shape (seq_len, d).
        v: The values, shape (seq_len, d).
    """
    comptime assert dtype.is_floating_point(), "dtype is a floating-point type"
    comptime assert output.flat_rank == 1, "output is a vector"
    var weights = List[Scalar[dtype]](length=seq_len, fill=0)
    var largest = min_finite[dtype]()
    for i in range(seq_len):
        for j in range(d):
            weights[i] += rebind[Scalar[dtype]](q[j]) * rebind[Scalar[dtype]](
                k[i, j]
            )
        largest = max(largest, weights[i])

    var total = Scalar[dtype](0)
    for i in range(seq_len):
        weights[i] = exp(weights[i] - largest)
        total += weights[i]

    for j in range(d):
        var sum = Scalar[dtype](0)
        for i in range(seq_len):
            sum += weights[i] / total * rebind[Scalar[dtype]](v[i, j])
        output[j] = sum


@register("attention")
struct AttentionCustomOp:
    """The op `attention`."""

    @staticmethod
    def execute[
        target: StaticString,
        seq_len: Int,
        d: Int,
        dtype: DType = DType.float32,
    ](
        output: OutputTensor[rank=1, static_spec=_],
        q: InputTensor[rank=1, static_spec=_],
        k: InputTensor[rank=2, static_spec=_],
        v: InputTensor[rank=2, static_spec=_],
        ctx: DeviceContext,
    ) raises:
        """Weighs the values by how much the query is like their keys, in four launches, or on the processor.

        Parameters:
            target: What it is compiled for: `gpu` or `cpu`.
            seq_len: The keys, and the values, at most `SOFTMAX_BLOCK_DIM_X` of them.
            d: The elements of the query, and of each key and value.
            dtype: The element type.

        Args:
            output: The weighted sum of the values, shape (d).
            q: The query, shape (d).
            k: The keys, shape (seq_len, d).
            v: The values, shape (seq_len, d).
            ctx: Where they lie.

        Raises:
            There is no room for what lies between the launches, or one fails.
        """
        comptime layout_q = row_major[d]()
        comptime layout_k = row_major[seq_len, d]()
        comptime layout_v = row_major[seq_len, d]()
        comptime layout_out = row_major[d]()
        comptime layout_scores = row_major[seq_len]()
        comptime QLayout = type_of(layout_q)
        comptime KLayout = type_of(layout_k)
        comptime VLayout = type_of(layout_v)
        comptime OutLayout = type_of(layout_out)
        comptime ScoresLayout = type_of(layout_scores)

        var output_tensor = TileTensor[
            mut=True, dtype, OutLayout, MutAnyOrigin
        ](output.unsafe_ptr().unsafe_bitcast[Scalar[dtype]](), layout_out)
        var q_tensor = TileTensor[mut=True, dtype, QLayout, MutAnyOrigin](
            q.unsafe_ptr().unsafe_bitcast[Scalar[dtype]](), layout_q
        )
        var k_tensor = TileTensor[mut=True, dtype, KLayout, MutAnyOrigin](
            k.unsafe_ptr().unsafe_bitcast[Scalar[dtype]](), layout_k
        )
        var v_tensor = TileTensor[mut=True, dtype, VLayout, MutAnyOrigin](
            v.unsafe_ptr().unsafe_bitcast[Scalar[dtype]](), layout_v
        )

        comptime if target == "gpu":
            # The query, the scores, the weights and the result are matrices of one row, too.
            comptime layout_q_2d = row_major[1, d]()
            comptime Q2DLayout = type_of(layout_q_2d)
            comptime layout_k_t = row_major[d, seq_len]()
            comptime KTLayout = type_of(layout_k_t)
            comptime layout_scores_2d = row_major[1, seq_len]()
            comptime Scores2DLayout = type_of(layout_scores_2d)
            comptime layout_weights_2d = row_major[1, seq_len]()
            comptime Weights2DLayout = type_of(layout_weights_2d)
            comptime layout_result_2d = row_major[1, d]()
            comptime Result2DLayout = type_of(layout_result_2d)

            comptime transpose_threads_per_block = (
                TRANSPOSE_BLOCK_DIM_XY,
                TRANSPOSE_BLOCK_DIM_XY,
            )
            comptime transpose_blocks_per_grid = (
                (d + TRANSPOSE_BLOCK_DIM_XY - 1) // TRANSPOSE_BLOCK_DIM_XY,
                (seq_len + TRANSPOSE_BLOCK_DIM_XY - 1)
                // TRANSPOSE_BLOCK_DIM_XY,
            )
            comptime matmul_threads_per_block = (
                MATMUL_BLOCK_DIM_XY,
                MATMUL_BLOCK_DIM_XY,
            )
            comptime scores_blocks_per_grid = (
                seq_len + MATMUL_BLOCK_DIM_XY - 1
            ) // MATMUL_BLOCK_DIM_XY
            comptime softmax_threads = SOFTMAX_BLOCK_DIM_X
            comptime softmax_blocks_per_grid = 1
            comptime result_blocks_per_grid = (
                d + MATMUL_BLOCK_DIM_XY - 1
            ) // MATMUL_BLOCK_DIM_XY

            # One buffer for the scores, which become the weights where they lie.
            var k_t_buf = ctx.enqueue_create_buffer[dtype](seq_len * d)
            var scores_weights_buf = ctx.enqueue_create_buffer[dtype](seq_len)
            var k_t = TileTensor[mut=True, dtype, KTLayout, MutAnyOrigin](
                k_t_buf.unsafe_ptr().as_unsafe_any_origin(), layout_k_t
            )

            # The query as a matrix of one row.
            # FILL ME IN: 1 statement
            var q_2d = TileTensor[mut=True, dtype, Q2DLayout, MutAnyOrigin](
                q_tensor.ptr, layout_q_2d
            )
            # END OF FILL ME IN

            # The keys as columns.
            # FILL ME IN: 1 call
            ctx.enqueue_function[
                transpose_kernel[seq_len, d, KTLayout, KLayout, dtype]
            ](
                k_t,
                k_tensor,
                grid_dim=transpose_blocks_per_grid,
                block_dim=transpose_threads_per_block,
            )
            # END OF FILL ME IN

            # The scores, as a matrix of one row: the query times the keys.
            # FILL ME IN: 2 statements
            var scores_2d = TileTensor[
                mut=True, dtype, Scores2DLayout, MutAnyOrigin
            ](
                scores_weights_buf.unsafe_ptr().as_unsafe_any_origin(),
                layout_scores_2d,
            )
            ctx.enqueue_function[
                matmul_idiomatic_tiled[
                    1, seq_len, d, Scores2DLayout, Q2DLayout, KTLayout, dtype
                ]
            ](
                scores_2d,
                q_2d,
                k_t,
                grid_dim=scores_blocks_per_grid,
                block_dim=matmul_threads_per_block,
            )
            # END OF FILL ME IN

            # The scores as a vector.
            # FILL ME IN: 1 statement
            var weights = TileTensor[
                mut=True, dtype, ScoresLayout, MutAnyOrigin
            ](scores_2d.ptr, layout_scores)
            # END OF FILL ME IN

            # The weights, in the place of the scores.
            # FILL ME IN: 1 call
            ctx.enqueue_function[
                softmax_gpu_kernel[seq_len, ScoresLayout, dtype]
            ](
                weights,
                weights,
                grid_dim=softmax_blocks_per_grid,
                block_dim=softmax_threads,
            )
            # END OF FILL ME IN

            # The weights as a matrix of one row.
            # FILL ME IN: 1 statement
            var weights_2d = TileTensor[
                mut=True, dtype, Weights2DLayout, MutAnyOrigin
            ](weights.ptr, layout_weights_2d)
            # END OF FILL ME IN

            # The result, as a matrix of one row: the weights times the values.
            # FILL ME IN: 2 statements
            var result_2d = TileTensor[
                mut=True, dtype, Result2DLayout, MutAnyOrigin
            ](output_tensor.ptr, layout_result_2d)
            ctx.enqueue_function[
                matmul_idiomatic_tiled[
                    1,
                    d,
                    seq_len,
                    Result2DLayout,
                    Weights2DLayout,
                    VLayout,
                    dtype,
                ]
            ](
                result_2d,
                weights_2d,
                v_tensor,
                grid_dim=result_blocks_per_grid,
                block_dim=matmul_threads_per_block,
            )
            # END OF FILL ME IN
            _ = k_t_buf^
            _ = scores_weights_buf^
        elif target == "cpu":
            attention_cpu_kernel[
                seq_len, d, OutLayout, QLayout, KLayout, VLayout, dtype
            ](output_tensor, q_tensor, k_tensor, v_tensor)
        else:
            raise Error("the op attention runs on gpu and cpu")
