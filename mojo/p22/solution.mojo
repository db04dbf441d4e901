"""Puzzle 22: a layer normalisation and a linear layer as one custom op, in one kernel or in four, and its gradients."""

from extensibility import InputTensor, OutputTensor, register
from layout import TensorLayout, TileTensor
from layout.tile_layout import row_major
from layout.tile_tensor import stack_allocation
from max.gpu import block_idx, thread_idx
from max.gpu.host import DeviceBuffer, DeviceContext
from max.gpu.memory import AddressSpace
from max.gpu.sync import barrier
from std.atomic import Atomic
from std.math import ceildiv, sqrt

comptime MATMUL_BLOCK_DIM_XY = 16
"""The threads of a block of the matrix product in x, and in y."""
comptime TRANSPOSE_BLOCK_DIM_XY = 16
"""The threads of a block that transposes in x, and in y."""
comptime EPSILON = 1e-5
"""What is added to each variance: where all elements are alike, nothing is divided by zero."""


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
    """Writes the product of `a` and `b`, tile by tile.

    Parameters:
        rows: Of `a`.
        cols: Of `b`.
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
        A block has `MATMUL_BLOCK_DIM_XY` threads in x and in y, the grid a thread for each element.
    """
    comptime assert output.flat_rank == 2, "output is a matrix"
    comptime tile = row_major[MATMUL_BLOCK_DIM_XY, MATMUL_BLOCK_DIM_XY]()
    var a_shared = stack_allocation[
        dtype=dtype, address_space=AddressSpace.SHARED
    ](tile)
    var b_shared = stack_allocation[
        dtype=dtype, address_space=AddressSpace.SHARED
    ](tile)
    var local_row = Int(thread_idx.y)
    var local_col = Int(thread_idx.x)
    var row = Int(block_idx.y) * MATMUL_BLOCK_DIM_XY + local_row
    var col = Int(block_idx.x) * MATMUL_BLOCK_DIM_XY + local_col

    var sum = Scalar[dtype](0)
    for first in range(0, inner, MATMUL_BLOCK_DIM_XY):
        var value = Scalar[dtype](0)  # beyond the edges
        if row < rows and first + local_col < inner:
            value = rebind[Scalar[dtype]](a[row, first + local_col])
        a_shared[local_row, local_col] = value
        value = 0
        if first + local_row < inner and col < cols:
            value = rebind[Scalar[dtype]](b[first + local_row, col])
        b_shared[local_row, local_col] = value

        barrier()

        for k in range(MATMUL_BLOCK_DIM_XY):
            sum += rebind[Scalar[dtype]](a_shared[local_row, k]) * rebind[
                Scalar[dtype]
            ](b_shared[k, local_col])

        barrier()  # before the next tiles take the place of these

    if row < rows and col < cols:
        output[row, col] = sum


def layernorm_kernel[
    batch_size: Int,
    seq_len: Int,
    hidden_dim: Int,
    OutputLayout: TensorLayout,
    InputLayout: TensorLayout,
    LnParamsLayout: TensorLayout,
    dtype: DType = DType.float32,
](
    output: TileTensor[mut=True, dtype, OutputLayout, MutAnyOrigin],
    input: TileTensor[mut=True, dtype, InputLayout, MutAnyOrigin],
    ln_weight: TileTensor[mut=True, dtype, LnParamsLayout, MutAnyOrigin],
    ln_bias: TileTensor[mut=True, dtype, LnParamsLayout, MutAnyOrigin],
):
    """Takes off the mean of a position's elements, divides by the root of their variance and `EPSILON`, scales and shifts.

    The variance is the mean of the squares of what is left without the mean: the mean of the elements' own squares,
    less the square of their mean, is the difference of two large numbers where the mean is large.

    Parameters:
        batch_size: The sequences.
        seq_len: The positions of each.
        hidden_dim: The elements of a position.
        OutputLayout: The type of the layout of `output`.
        InputLayout: The type of the layout of `input`.
        LnParamsLayout: The type of the layout of `ln_weight` and `ln_bias`.
        dtype: The element type.

    Args:
        output: What comes of them, shape (batch_size, seq_len, hidden_dim).
        input: The elements, shape (batch_size, seq_len, hidden_dim).
        ln_weight: The scale of each, shape (hidden_dim).
        ln_bias: The shift of each, shape (hidden_dim).

    Constraints:
        The grid has a block for each sequence in x and position in y, a block a thread for each element.
    """
    comptime assert dtype.is_floating_point(), "dtype is a floating-point type"
    comptime assert output.flat_rank == 3, "output has three axes"
    var batch_idx = Int(block_idx.x)
    var seq_idx = Int(block_idx.y)
    var hidden_idx = Int(thread_idx.x)

    # FILL ME IN: about 14 lines
    var sum = Scalar[dtype](0)
    for h in range(hidden_dim):
        sum += rebind[Scalar[dtype]](input[batch_idx, seq_idx, h])
    var mean = sum / Scalar[dtype](hidden_dim)
    var squares = Scalar[dtype](0)
    for h in range(hidden_dim):
        var left = rebind[Scalar[dtype]](input[batch_idx, seq_idx, h]) - mean
        squares += left * left
    var inv_std = 1 / sqrt(squares / Scalar[dtype](hidden_dim) + EPSILON)

    var own = rebind[Scalar[dtype]](input[batch_idx, seq_idx, hidden_idx])
    output[batch_idx, seq_idx, hidden_idx] = (own - mean) * inv_std * rebind[
        Scalar[dtype]
    ](ln_weight[hidden_idx]) + rebind[Scalar[dtype]](ln_bias[hidden_idx])
    # END OF FILL ME IN


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
    """Writes the columns of `inp` as rows: threads read and write neighbouring elements, and swap them in shared memory.

    Parameters:
        rows: Of `inp`.
        cols: Of `inp`.
        OutLayout: The type of the layout of `output`.
        InLayout: The type of the layout of `inp`.
        dtype: The element type.

    Args:
        output: The transpose, shape (cols, rows).
        inp: The matrix, shape (rows, cols).

    Constraints:
        A block has `TRANSPOSE_BLOCK_DIM_XY` threads in x and in y, the grid a thread for each element.
    """
    comptime assert output.flat_rank == 2, "output is a matrix"
    var shared = stack_allocation[
        dtype=dtype, address_space=AddressSpace.SHARED
    ](row_major[TRANSPOSE_BLOCK_DIM_XY, TRANSPOSE_BLOCK_DIM_XY]())
    var local_row = Int(thread_idx.y)
    var local_col = Int(thread_idx.x)
    var first_row = Int(block_idx.y) * TRANSPOSE_BLOCK_DIM_XY
    var first_col = Int(block_idx.x) * TRANSPOSE_BLOCK_DIM_XY

    if first_row + local_row < rows and first_col + local_col < cols:
        shared[local_row, local_col] = rebind[Scalar[dtype]](
            inp[first_row + local_row, first_col + local_col]
        )

    barrier()

    if first_col + local_row < cols and first_row + local_col < rows:
        output[first_col + local_row, first_row + local_col] = rebind[
            Scalar[dtype]
        ](shared[local_col, local_row])


def add_bias_kernel[
    batch_size: Int,
    seq_len: Int,
    output_dim: Int,
    OutputLayout: TensorLayout,
    InputLayout: TensorLayout,
    BiasLayout: TensorLayout,
    dtype: DType = DType.float32,
](
    output: TileTensor[mut=True, dtype, OutputLayout, MutAnyOrigin],
    input: TileTensor[mut=True, dtype, InputLayout, MutAnyOrigin],
    bias: TileTensor[mut=True, dtype, BiasLayout, MutAnyOrigin],
):
    """Adds a bias to each result of each position.

    Parameters:
        batch_size: The sequences.
        seq_len: The positions of each.
        output_dim: The results of a position.
        OutputLayout: The type of the layout of `output`.
        InputLayout: The type of the layout of `input`.
        BiasLayout: The type of the layout of `bias`.
        dtype: The element type.

    Args:
        output: The sums, shape (batch_size, seq_len, output_dim).
        input: The results without it, shape (batch_size, seq_len, output_dim).
        bias: The bias of each, shape (output_dim).

    Constraints:
        The grid has a block for each sequence in x and position in y, a block a thread for each result.
    """
    comptime assert output.flat_rank == 3, "output has three axes"
    var batch_idx = Int(block_idx.x)
    var seq_idx = Int(block_idx.y)
    var out_idx = Int(thread_idx.x)
    output[batch_idx, seq_idx, out_idx] = rebind[Scalar[dtype]](
        input[batch_idx, seq_idx, out_idx]
    ) + rebind[Scalar[dtype]](bias[out_idx])


def minimal_fused_kernel[
    batch_size: Int,
    seq_len: Int,
    hidden_dim: Int,
    output_dim: Int,
    OutputLayout: TensorLayout,
    InputLayout: TensorLayout,
    LnParamsLayout: TensorLayout,
    WeightLayout: TensorLayout,
    BiasLayout: TensorLayout,
    dtype: DType = DType.float32,
](
    output: TileTensor[mut=True, dtype, OutputLayout, MutAnyOrigin],
    input: TileTensor[mut=True, dtype, InputLayout, MutAnyOrigin],
    ln_weight: TileTensor[mut=True, dtype, LnParamsLayout, MutAnyOrigin],
    ln_bias: TileTensor[mut=True, dtype, LnParamsLayout, MutAnyOrigin],
    linear_weight: TileTensor[mut=True, dtype, WeightLayout, MutAnyOrigin],
    linear_bias: TileTensor[mut=True, dtype, BiasLayout, MutAnyOrigin],
):
    """Normalises the elements of a position as `layernorm_kernel` does, and passes them through the linear layer at once.

    What is normalised goes through no memory: each result is a sum of its products with a row of `linear_weight`.

    Parameters:
        batch_size: The sequences.
        seq_len: The positions of each.
        hidden_dim: The elements of a position.
        output_dim: The results of a position.
        OutputLayout: The type of the layout of `output`.
        InputLayout: The type of the layout of `input`.
        LnParamsLayout: The type of the layout of `ln_weight` and `ln_bias`.
        WeightLayout: The type of the layout of `linear_weight`.
        BiasLayout: The type of the layout of `linear_bias`.
        dtype: The element type.

    Args:
        output: The results, shape (batch_size, seq_len, output_dim).
        input: The elements, shape (batch_size, seq_len, hidden_dim).
        ln_weight: The scale of each, shape (hidden_dim).
        ln_bias: The shift of each, shape (hidden_dim).
        linear_weight: The factors of each result, shape (output_dim, hidden_dim).
        linear_bias: The bias of each result, shape (output_dim).

    Constraints:
        The grid has a block of one thread for each sequence in x and position in y.
    """
    comptime assert dtype.is_floating_point(), "dtype is a floating-point type"
    comptime assert output.flat_rank == 3, "output has three axes"
    var batch_idx = Int(block_idx.x)
    var seq_idx = Int(block_idx.y)
    var mean = Scalar[dtype](0)
    var inv_std = Scalar[dtype](0)

    # FILL ME IN: about 9 lines, the mean and what each element is multiplied by
    var sum = Scalar[dtype](0)
    for h in range(hidden_dim):
        sum += rebind[Scalar[dtype]](input[batch_idx, seq_idx, h])
    mean = sum / Scalar[dtype](hidden_dim)
    var squares = Scalar[dtype](0)
    for h in range(hidden_dim):
        var left = rebind[Scalar[dtype]](input[batch_idx, seq_idx, h]) - mean
        squares += left * left
    inv_std = 1 / sqrt(squares / Scalar[dtype](hidden_dim) + EPSILON)
    # END OF FILL ME IN

    # FILL ME IN: about 11 lines, the results
    for out_idx in range(output_dim):
        var result = rebind[Scalar[dtype]](linear_bias[out_idx])
        for h in range(hidden_dim):
            var left = (
                rebind[Scalar[dtype]](input[batch_idx, seq_idx, h]) - mean
            )
            var normal = left * inv_std * rebind[Scalar[dtype]](
                ln_weight[h]
            ) + rebind[Scalar[dtype]](ln_bias[h])
            result += normal * rebind[Scalar[dtype]](linear_weight[out_idx, h])
        output[batch_idx, seq_idx, out_idx] = result
    # END OF FILL ME IN


def minimal_fused_kernel_backward[
    batch_size: Int,
    seq_len: Int,
    hidden_dim: Int,
    output_dim: Int,
    GradInputLayout: TensorLayout,
    GradLnWeightLayout: TensorLayout,
    GradLnBiasLayout: TensorLayout,
    GradWeightLayout: TensorLayout,
    GradBiasLayout: TensorLayout,
    GradOutputLayout: TensorLayout,
    InputLayout: TensorLayout,
    LnParamsLayout: TensorLayout,
    WeightLayout: TensorLayout,
    dtype: DType = DType.float32,
](
    grad_input: TileTensor[mut=True, dtype, GradInputLayout, MutAnyOrigin],
    grad_ln_weight: TileTensor[
        mut=True, dtype, GradLnWeightLayout, MutAnyOrigin
    ],
    grad_ln_bias: TileTensor[mut=True, dtype, GradLnBiasLayout, MutAnyOrigin],
    grad_weight: TileTensor[mut=True, dtype, GradWeightLayout, MutAnyOrigin],
    grad_bias: TileTensor[mut=True, dtype, GradBiasLayout, MutAnyOrigin],
    grad_output: TileTensor[mut=True, dtype, GradOutputLayout, MutAnyOrigin],
    input: TileTensor[mut=True, dtype, InputLayout, MutAnyOrigin],
    ln_weight: TileTensor[mut=True, dtype, LnParamsLayout, MutAnyOrigin],
    ln_bias: TileTensor[mut=True, dtype, LnParamsLayout, MutAnyOrigin],
    linear_weight: TileTensor[mut=True, dtype, WeightLayout, MutAnyOrigin],
):
    """Takes a gradient with respect to the results back to the elements and to the four parameters.

    Every position has its share of the parameters' gradients, and they are zero before: the threads add to them atomically.

    Parameters:
        batch_size: The sequences.
        seq_len: The positions of each.
        hidden_dim: The elements of a position.
        output_dim: The results of a position.
        GradInputLayout: The type of the layout of `grad_input`.
        GradLnWeightLayout: The type of the layout of `grad_ln_weight`.
        GradLnBiasLayout: The type of the layout of `grad_ln_bias`.
        GradWeightLayout: The type of the layout of `grad_weight`.
        GradBiasLayout: The type of the layout of `grad_bias`.
        GradOutputLayout: The type of the layout of `grad_output`.
        InputLayout: The type of the layout of `input`.
        LnParamsLayout: The type of the layout of `ln_weight` and `ln_bias`.
        WeightLayout: The type of the layout of `linear_weight`.
        dtype: The element type.

    Args:
        grad_input: With respect to `input`, of its shape.
        grad_ln_weight: With respect to `ln_weight`, of its shape.
        grad_ln_bias: With respect to `ln_bias`, of its shape.
        grad_weight: With respect to `linear_weight`, of its shape.
        grad_bias: With respect to the linear layer's bias, shape (output_dim).
        grad_output: With respect to the results, shape (batch_size, seq_len, output_dim).
        input: The elements, shape (batch_size, seq_len, hidden_dim).
        ln_weight: The scale of each, shape (hidden_dim).
        ln_bias: The shift of each, shape (hidden_dim).
        linear_weight: The factors of each result, shape (output_dim, hidden_dim).

    Constraints:
        The grid has a block of one thread for each sequence in x and position in y.
    """
    comptime assert dtype.is_floating_point(), "dtype is a floating-point type"
    comptime assert grad_input.flat_rank == 3, "grad_input has three axes"
    var batch_idx = Int(block_idx.x)
    var seq_idx = Int(block_idx.y)
    var mean = Scalar[dtype](0)
    var inv_std = Scalar[dtype](0)
    var sum_grad = Scalar[dtype](0)
    var sum_grad_normal = Scalar[dtype](0)

    @__parameter
    def normal(h: Int) -> Scalar[dtype]:
        """An element without the mean, over the deviation."""
        return (
            rebind[Scalar[dtype]](input[batch_idx, seq_idx, h]) - mean
        ) * inv_std

    @__parameter
    def grad_normal(h: Int) -> Scalar[dtype]:
        """The gradient with respect to what the linear layer takes."""
        var sum = Scalar[dtype](0)
        for out_idx in range(output_dim):
            sum += rebind[Scalar[dtype]](
                grad_output[batch_idx, seq_idx, out_idx]
            ) * rebind[Scalar[dtype]](linear_weight[out_idx, h])
        return sum

    # FILL ME IN: about 9 lines, the mean and what each element is multiplied by
    var sum = Scalar[dtype](0)
    for h in range(hidden_dim):
        sum += rebind[Scalar[dtype]](input[batch_idx, seq_idx, h])
    mean = sum / Scalar[dtype](hidden_dim)
    var squares = Scalar[dtype](0)
    for h in range(hidden_dim):
        var left = rebind[Scalar[dtype]](input[batch_idx, seq_idx, h]) - mean
        squares += left * left
    inv_std = 1 / sqrt(squares / Scalar[dtype](hidden_dim) + EPSILON)
    # END OF FILL ME IN

    # FILL ME IN: about 5 lines, a share of the gradient of the linear layer's bias
    for out_idx in range(output_dim):
        _ = Atomic.fetch_add(
            grad_bias.ptr + out_idx,
            rebind[Scalar[dtype]](grad_output[batch_idx, seq_idx, out_idx]),
        )
    # END OF FILL ME IN

    # FILL ME IN: about 9 lines, a share of the gradient of `linear_weight`
    for out_idx in range(output_dim):
        var grad = rebind[Scalar[dtype]](
            grad_output[batch_idx, seq_idx, out_idx]
        )
        for h in range(hidden_dim):
            var taken = normal(h) * rebind[Scalar[dtype]](
                ln_weight[h]
            ) + rebind[Scalar[dtype]](ln_bias[h])
            _ = Atomic.fetch_add(
                grad_weight.ptr + out_idx * hidden_dim + h, grad * taken
            )
    # END OF FILL ME IN

    # FILL ME IN: about 7 lines, shares of the gradients of `ln_weight` and `ln_bias`, and the sums over all elements
    for h in range(hidden_dim):
        var grad = grad_normal(h)
        _ = Atomic.fetch_add(grad_ln_weight.ptr + h, grad * normal(h))
        _ = Atomic.fetch_add(grad_ln_bias.ptr + h, grad)
        var scaled = grad * rebind[Scalar[dtype]](ln_weight[h])
        sum_grad += scaled
        sum_grad_normal += scaled * normal(h)
    # END OF FILL ME IN

    # FILL ME IN: about 6 lines, the gradients of the elements
    for h in range(hidden_dim):
        var grad = grad_normal(h) * rebind[Scalar[dtype]](ln_weight[h])
        var shared = (sum_grad + normal(h) * sum_grad_normal) / Scalar[dtype](
            hidden_dim
        )
        grad_input[batch_idx, seq_idx, h] = (grad - shared) * inv_std
    # END OF FILL ME IN


@register("layernorm_linear")
struct LayerNormLinearCustomOp:
    """The op `layernorm_linear`."""

    @staticmethod
    def execute[
        target: StaticString,
        algorithm: StaticString,
        batch_size: Int,
        seq_len: Int,
        hidden_dim: Int,
        output_dim: Int,
        dtype: DType = DType.float32,
    ](
        output: OutputTensor[dtype=dtype, rank=3, static_spec=_],
        input: InputTensor[dtype=dtype, rank=3, static_spec=_],
        ln_weight: InputTensor[dtype=dtype, rank=1, static_spec=_],
        ln_bias: InputTensor[dtype=dtype, rank=1, static_spec=_],
        linear_weight: InputTensor[dtype=dtype, rank=2, static_spec=_],
        linear_bias: InputTensor[dtype=dtype, rank=1, static_spec=_],
        ctx: DeviceContext,
    ) raises:
        """Launches the fused kernel, or the others one after another.

        Parameters:
            target: What it is compiled for: `gpu`.
            algorithm: Either `fused` or `unfused`.
            batch_size: The sequences.
            seq_len: The positions of each.
            hidden_dim: The elements of a position.
            output_dim: The results of a position.
            dtype: The element type.

        Args:
            output: The results, shape (batch_size, seq_len, output_dim).
            input: The elements, shape (batch_size, seq_len, hidden_dim).
            ln_weight: The scale of each, shape (hidden_dim).
            ln_bias: The shift of each, shape (hidden_dim).
            linear_weight: The factors of each result, shape (output_dim, hidden_dim).
            linear_bias: The bias of each result, shape (output_dim).
            ctx: Where they lie.

        Raises:
            A launch fails.
        """
        comptime assert target == "gpu", "the op layernorm_linear runs on gpu"
        comptime assert (
            algorithm == "fused" or algorithm == "unfused"
        ), "algorithm is fused or unfused"
        comptime hidden_layout = row_major[batch_size, seq_len, hidden_dim]()
        comptime Hidden = type_of(hidden_layout)
        comptime output_layout = row_major[batch_size, seq_len, output_dim]()
        comptime Output = type_of(output_layout)
        comptime ln_layout = row_major[hidden_dim]()
        comptime Ln = type_of(ln_layout)
        comptime weight_layout = row_major[output_dim, hidden_dim]()
        comptime Weight = type_of(weight_layout)
        comptime bias_layout = row_major[output_dim]()
        comptime Bias = type_of(bias_layout)
        var output_tensor = TileTensor[mut=True, dtype, Output, MutAnyOrigin](
            output.unsafe_ptr().unsafe_bitcast[Scalar[dtype]](), output_layout
        )
        var input_tensor = TileTensor[mut=True, dtype, Hidden, MutAnyOrigin](
            input.unsafe_ptr().unsafe_bitcast[Scalar[dtype]](), hidden_layout
        )
        var scale_tensor = TileTensor[mut=True, dtype, Ln, MutAnyOrigin](
            ln_weight.unsafe_ptr().unsafe_bitcast[Scalar[dtype]](), ln_layout
        )
        var shift_tensor = TileTensor[mut=True, dtype, Ln, MutAnyOrigin](
            ln_bias.unsafe_ptr().unsafe_bitcast[Scalar[dtype]](), ln_layout
        )
        var weight_tensor = TileTensor[mut=True, dtype, Weight, MutAnyOrigin](
            linear_weight.unsafe_ptr().unsafe_bitcast[Scalar[dtype]](),
            weight_layout,
        )
        var bias_tensor = TileTensor[mut=True, dtype, Bias, MutAnyOrigin](
            linear_bias.unsafe_ptr().unsafe_bitcast[Scalar[dtype]](),
            bias_layout,
        )

        comptime if algorithm == "fused":
            comptime fused = minimal_fused_kernel[
                batch_size,
                seq_len,
                hidden_dim,
                output_dim,
                Output,
                Hidden,
                Ln,
                Weight,
                Bias,
                dtype,
            ]
            ctx.enqueue_function[fused](
                output_tensor,
                input_tensor,
                scale_tensor,
                shift_tensor,
                weight_tensor,
                bias_tensor,
                grid_dim=(batch_size, seq_len),
                block_dim=1,
            )
        else:
            comptime positions = batch_size * seq_len
            comptime taken_layout = row_major[positions, hidden_dim]()
            comptime Taken = type_of(taken_layout)
            comptime given_layout = row_major[positions, output_dim]()
            comptime Given = type_of(given_layout)
            comptime columns_layout = row_major[hidden_dim, output_dim]()
            comptime Columns = type_of(columns_layout)
            var normal = ctx.enqueue_create_buffer[dtype](
                positions * hidden_dim
            )
            var columns = ctx.enqueue_create_buffer[dtype](
                hidden_dim * output_dim
            )
            var product = ctx.enqueue_create_buffer[dtype](
                positions * output_dim
            )
            var columns_tensor = TileTensor[
                mut=True, dtype, Columns, MutAnyOrigin
            ](columns, columns_layout)

            comptime normalise = layernorm_kernel[
                batch_size, seq_len, hidden_dim, Hidden, Hidden, Ln, dtype
            ]
            ctx.enqueue_function[normalise](
                TileTensor[mut=True, dtype, Hidden, MutAnyOrigin](
                    normal, hidden_layout
                ),
                input_tensor,
                scale_tensor,
                shift_tensor,
                grid_dim=(batch_size, seq_len),
                block_dim=hidden_dim,
            )

            comptime transpose = transpose_kernel[
                output_dim, hidden_dim, Columns, Weight, dtype
            ]
            ctx.enqueue_function[transpose](
                columns_tensor,
                weight_tensor,
                grid_dim=(
                    ceildiv(hidden_dim, TRANSPOSE_BLOCK_DIM_XY),
                    ceildiv(output_dim, TRANSPOSE_BLOCK_DIM_XY),
                ),
                block_dim=(TRANSPOSE_BLOCK_DIM_XY, TRANSPOSE_BLOCK_DIM_XY),
            )

            comptime multiply = matmul_idiomatic_tiled[
                positions, output_dim, hidden_dim, Given, Taken, Columns, dtype
            ]
            ctx.enqueue_function[multiply](
                TileTensor[mut=True, dtype, Given, MutAnyOrigin](
                    product, given_layout
                ),
                TileTensor[mut=True, dtype, Taken, MutAnyOrigin](
                    normal, taken_layout
                ),
                columns_tensor,
                grid_dim=(
                    ceildiv(output_dim, MATMUL_BLOCK_DIM_XY),
                    ceildiv(positions, MATMUL_BLOCK_DIM_XY),
                ),
                block_dim=(MATMUL_BLOCK_DIM_XY, MATMUL_BLOCK_DIM_XY),
            )

            comptime add = add_bias_kernel[
                batch_size, seq_len, output_dim, Output, Output, Bias, dtype
            ]
            ctx.enqueue_function[add](
                output_tensor,
                TileTensor[mut=True, dtype, Output, MutAnyOrigin](
                    product, output_layout
                ),
                bias_tensor,
                grid_dim=(batch_size, seq_len),
                block_dim=output_dim,
            )


@register("layernorm_linear_backward")
struct LayerNormLinearBackwardCustomOp:
    """The op `layernorm_linear_backward`."""

    @staticmethod
    def execute[
        target: StaticString,
        batch_size: Int,
        seq_len: Int,
        hidden_dim: Int,
        output_dim: Int,
        dtype: DType = DType.float32,
    ](
        grad_input: OutputTensor[dtype=dtype, rank=3, static_spec=_],
        grad_ln_weight: OutputTensor[dtype=dtype, rank=1, static_spec=_],
        grad_ln_bias: OutputTensor[dtype=dtype, rank=1, static_spec=_],
        grad_weight: OutputTensor[dtype=dtype, rank=2, static_spec=_],
        grad_bias: OutputTensor[dtype=dtype, rank=1, static_spec=_],
        grad_output: InputTensor[dtype=dtype, rank=3, static_spec=_],
        input: InputTensor[dtype=dtype, rank=3, static_spec=_],
        ln_weight: InputTensor[dtype=dtype, rank=1, static_spec=_],
        ln_bias: InputTensor[dtype=dtype, rank=1, static_spec=_],
        linear_weight: InputTensor[dtype=dtype, rank=2, static_spec=_],
        ctx: DeviceContext,
    ) raises:
        """Fills the gradients of the parameters with zeros, and launches the kernel.

        Parameters:
            target: What it is compiled for: `gpu`.
            batch_size: The sequences.
            seq_len: The positions of each.
            hidden_dim: The elements of a position.
            output_dim: The results of a position.
            dtype: The element type.

        Args:
            grad_input: With respect to `input`, of its shape.
            grad_ln_weight: With respect to `ln_weight`, of its shape.
            grad_ln_bias: With respect to `ln_bias`, of its shape.
            grad_weight: With respect to `linear_weight`, of its shape.
            grad_bias: With respect to the linear layer's bias, shape (output_dim).
            grad_output: With respect to the results, shape (batch_size, seq_len, output_dim).
            input: The elements, shape (batch_size, seq_len, hidden_dim).
            ln_weight: The scale of each, shape (hidden_dim).
            ln_bias: The shift of each, shape (hidden_dim).
            linear_weight: The factors of each result, shape (output_dim, hidden_dim).
            ctx: Where they lie.

        Raises:
            The launch fails.
        """
        comptime assert (
            target == "gpu"
        ), "the op layernorm_linear_backward runs on gpu"
        comptime hidden_layout = row_major[batch_size, seq_len, hidden_dim]()
        comptime Hidden = type_of(hidden_layout)
        comptime output_layout = row_major[batch_size, seq_len, output_dim]()
        comptime Output = type_of(output_layout)
        comptime ln_layout = row_major[hidden_dim]()
        comptime Ln = type_of(ln_layout)
        comptime weight_layout = row_major[output_dim, hidden_dim]()
        comptime Weight = type_of(weight_layout)
        comptime bias_layout = row_major[output_dim]()
        comptime Bias = type_of(bias_layout)
        var grad_scale = grad_ln_weight.unsafe_ptr().unsafe_bitcast[
            Scalar[dtype]
        ]()
        var grad_shift = grad_ln_bias.unsafe_ptr().unsafe_bitcast[
            Scalar[dtype]
        ]()
        var grad_factors = grad_weight.unsafe_ptr().unsafe_bitcast[
            Scalar[dtype]
        ]()
        var grad_added = grad_bias.unsafe_ptr().unsafe_bitcast[Scalar[dtype]]()
        ctx.enqueue_memset(
            DeviceBuffer[dtype](ctx, grad_scale, hidden_dim, owning=False), 0
        )
        ctx.enqueue_memset(
            DeviceBuffer[dtype](ctx, grad_shift, hidden_dim, owning=False), 0
        )
        ctx.enqueue_memset(
            DeviceBuffer[dtype](
                ctx, grad_factors, output_dim * hidden_dim, owning=False
            ),
            0,
        )
        ctx.enqueue_memset(
            DeviceBuffer[dtype](ctx, grad_added, output_dim, owning=False), 0
        )
        comptime backward = minimal_fused_kernel_backward[
            batch_size,
            seq_len,
            hidden_dim,
            output_dim,
            Hidden,
            Ln,
            Ln,
            Weight,
            Bias,
            Output,
            Hidden,
            Ln,
            Weight,
            dtype,
        ]
        ctx.enqueue_function[backward](
            TileTensor[mut=True, dtype, Hidden, MutAnyOrigin](
                grad_input.unsafe_ptr().unsafe_bitcast[Scalar[dtype]](),
                hidden_layout,
            ),
            TileTensor[mut=True, dtype, Ln, MutAnyOrigin](
                grad_scale, ln_layout
            ),
            TileTensor[mut=True, dtype, Ln, MutAnyOrigin](
                grad_shift, ln_layout
            ),
            TileTensor[mut=True, dtype, Weight, MutAnyOrigin](
                grad_factors, weight_layout
            ),
            TileTensor[mut=True, dtype, Bias, MutAnyOrigin](
                grad_added, bias_layout
            ),
            TileTensor[mut=True, dtype, Output, MutAnyOrigin](
                grad_output.unsafe_ptr().unsafe_bitcast[Scalar[dtype]](),
                output_layout,
            ),
            TileTensor[mut=True, dtype, Hidden, MutAnyOrigin](
                input.unsafe_ptr().unsafe_bitcast[Scalar[dtype]](),
                hidden_layout,
            ),
            TileTensor[mut=True, dtype, Ln, MutAnyOrigin](
                ln_weight.unsafe_ptr().unsafe_bitcast[Scalar[dtype]](),
                ln_layout,
            ),
            TileTensor[mut=True, dtype, Ln, MutAnyOrigin](
                ln_bias.unsafe_ptr().unsafe_bitcast[Scalar[dtype]](), ln_layout
            ),
            TileTensor[mut=True, dtype, Weight, MutAnyOrigin](
                linear_weight.unsafe_ptr().unsafe_bitcast[Scalar[dtype]](),
                weight_layout,
            ),
            grid_dim=(batch_size, seq_len),
            block_dim=1,
        )
