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
    var local_row = Int(thread_idx.y)
    var local_col = Int(thread_idx.x)
    var global_row = Int(block_idx.y) * MATMUL_BLOCK_DIM_XY + local_row
    var global_col = Int(block_idx.x) * MATMUL_BLOCK_DIM_XY + local_col
    var a_shared = stack_allocation[
        dtype=dtype, address_space=AddressSpace.SHARED
    ](row_major[MATMUL_BLOCK_DIM_XY, MATMUL_BLOCK_DIM_XY]())
    var b_shared = stack_allocation[
        dtype=dtype, address_space=AddressSpace.SHARED
    ](row_major[MATMUL_BLOCK_DIM_XY, MATMUL_BLOCK_DIM_XY]())
    var acc: output.ElementType = 0
    comptime tiles = (inner + MATMUL_BLOCK_DIM_XY - 1) // MATMUL_BLOCK_DIM_XY
    comptime for tile in range(tiles):
        var a_col = tile * MATMUL_BLOCK_DIM_XY + local_col
        var b_row = tile * MATMUL_BLOCK_DIM_XY + local_row
        if global_row < rows and a_col < inner:
            a_shared[local_row, local_col] = a[global_row, a_col]
        if b_row < inner and global_col < cols:
            b_shared[local_row, local_col] = b[b_row, global_col]

        barrier()
        if global_row < rows and global_col < cols:
            comptime here = min(
                MATMUL_BLOCK_DIM_XY, inner - tile * MATMUL_BLOCK_DIM_XY
            )
            comptime for k in range(here):
                acc += rebind[output.ElementType](
                    a_shared[local_row, k]
                ) * rebind[output.ElementType](b_shared[k, local_col])

        barrier()

    if global_row < rows and global_col < cols:
        output[global_row, global_col] = acc


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
    comptime assert dtype.is_floating_point(), "of numbers with a fraction"
    var batch_idx = Int(block_idx.x)
    var seq_idx = Int(block_idx.y)
    var hidden_idx = Int(thread_idx.x)
    if (
        batch_idx >= batch_size
        or seq_idx >= seq_len
        or hidden_idx >= hidden_dim
    ):
        return

    var sum_val: Scalar[dtype] = 0
    comptime for h in range(hidden_dim):
        sum_val += rebind[Scalar[dtype]](input[batch_idx, seq_idx, h])

    var mean_val = sum_val / Scalar[dtype](hidden_dim)
    var var_sum: Scalar[dtype] = 0
    comptime for h in range(hidden_dim):
        var diff = (
            rebind[Scalar[dtype]](input[batch_idx, seq_idx, h]) - mean_val
        )
        var_sum += diff * diff

    var inv_std = 1.0 / sqrt(var_sum / Scalar[dtype](hidden_dim) + 1e-5)
    var input_val = rebind[Scalar[dtype]](input[batch_idx, seq_idx, hidden_idx])
    var normalized = (input_val - mean_val) * inv_std
    output[batch_idx, seq_idx, hidden_idx] = normalized * rebind[Scalar[dtype]](
        ln_weight[hidden_idx]
    ) + rebind[Scalar[dtype]](ln_bias[hidden_idx])


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
    var shared_tile = stack_allocation[
        dtype=dtype, address_space=AddressSpace.SHARED
    ](row_major[TRANSPOSE_BLOCK_DIM_XY, TRANSPOSE_BLOCK_DIM_XY]())
    var local_row = Int(thread_idx.y)
    var local_col = Int(thread_idx.x)
    var global_row = Int(block_idx.y) * TRANSPOSE_BLOCK_DIM_XY + local_row
    var global_col = Int(block_idx.x) * TRANSPOSE_BLOCK_DIM_XY + local_col
    if global_row < rows and global_col < cols:
        shared_tile[local_row, local_col] = inp[global_row, global_col]

    barrier()
    var turned_row = Int(block_idx.x) * TRANSPOSE_BLOCK_DIM_XY + local_row
    var turned_col = Int(block_idx.y) * TRANSPOSE_BLOCK_DIM_XY + local_col
    if turned_row < cols and turned_col < rows:
        output[turned_row, turned_col] = shared_tile[local_col, local_row]


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
    var batch_idx = Int(block_idx.x)
    var seq_idx = Int(block_idx.y)
    var out_idx = Int(thread_idx.x)
    if batch_idx < batch_size and seq_idx < seq_len and out_idx < output_dim:
        output[batch_idx, seq_idx, out_idx] = (
            input[batch_idx, seq_idx, out_idx] + bias[out_idx]
        )


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
    comptime assert dtype.is_floating_point(), "of numbers with a fraction"
    var batch_idx = Int(block_idx.x)
    var seq_idx = Int(block_idx.y)
    if batch_idx >= batch_size or seq_idx >= seq_len:
        return

    var sum_val: Scalar[dtype] = 0
    comptime for h in range(hidden_dim):
        sum_val += rebind[Scalar[dtype]](input[batch_idx, seq_idx, h])

    var mean_val = sum_val / Scalar[dtype](hidden_dim)
    var var_sum: Scalar[dtype] = 0
    comptime for h in range(hidden_dim):
        var diff = (
            rebind[Scalar[dtype]](input[batch_idx, seq_idx, h]) - mean_val
        )
        var_sum += diff * diff

    var inv_std = 1.0 / sqrt(var_sum / Scalar[dtype](hidden_dim) + 1e-5)
    comptime for out_idx in range(output_dim):
        var acc: Scalar[dtype] = 0
        comptime for h in range(hidden_dim):
            var input_val = rebind[Scalar[dtype]](input[batch_idx, seq_idx, h])
            var normalized = (input_val - mean_val) * inv_std * rebind[
                Scalar[dtype]
            ](ln_weight[h]) + rebind[Scalar[dtype]](ln_bias[h])
            acc += normalized * rebind[Scalar[dtype]](linear_weight[out_idx, h])

        output[batch_idx, seq_idx, out_idx] = acc + rebind[Scalar[dtype]](
            linear_bias[out_idx]
        )


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
    comptime assert dtype.is_floating_point(), "of numbers with a fraction"
    var batch_idx = Int(block_idx.x)
    var seq_idx = Int(block_idx.y)
    if batch_idx >= batch_size or seq_idx >= seq_len:
        return

    var sum_val: Scalar[dtype] = 0
    comptime for h in range(hidden_dim):
        sum_val += rebind[Scalar[dtype]](input[batch_idx, seq_idx, h])

    var mean_val = sum_val / Scalar[dtype](hidden_dim)
    var var_sum: Scalar[dtype] = 0
    comptime for h in range(hidden_dim):
        var diff = (
            rebind[Scalar[dtype]](input[batch_idx, seq_idx, h]) - mean_val
        )
        var_sum += diff * diff

    var inv_std = 1.0 / sqrt(var_sum / Scalar[dtype](hidden_dim) + 1e-5)
    var sum_grad: Scalar[dtype] = 0
    var sum_grad_x: Scalar[dtype] = 0
    comptime for h in range(hidden_dim):
        var x_hat = (
            rebind[Scalar[dtype]](input[batch_idx, seq_idx, h]) - mean_val
        ) * inv_std
        var ln_out = x_hat * rebind[Scalar[dtype]](ln_weight[h]) + rebind[
            Scalar[dtype]
        ](ln_bias[h])
        var grad_ln: Scalar[dtype] = 0
        comptime for out_idx in range(output_dim):
            var grad = rebind[Scalar[dtype]](
                grad_output[batch_idx, seq_idx, out_idx]
            )
            grad_ln += grad * rebind[Scalar[dtype]](linear_weight[out_idx, h])
            _ = Atomic.fetch_add(
                grad_weight.ptr + out_idx * hidden_dim + h, grad * ln_out
            )
            if h == 0:
                _ = Atomic.fetch_add(grad_bias.ptr + out_idx, grad)

        _ = Atomic.fetch_add(grad_ln_weight.ptr + h, grad_ln * x_hat)
        _ = Atomic.fetch_add(grad_ln_bias.ptr + h, grad_ln)
        var grad_norm = grad_ln * rebind[Scalar[dtype]](ln_weight[h])
        sum_grad += grad_norm
        sum_grad_x += grad_norm * x_hat

    comptime for h in range(hidden_dim):
        var x_hat = (
            rebind[Scalar[dtype]](input[batch_idx, seq_idx, h]) - mean_val
        ) * inv_std
        var grad_ln: Scalar[dtype] = 0
        comptime for out_idx in range(output_dim):
            grad_ln += rebind[Scalar[dtype]](
                grad_output[batch_idx, seq_idx, out_idx]
            ) * rebind[Scalar[dtype]](linear_weight[out_idx, h])

        var grad_norm = grad_ln * rebind[Scalar[dtype]](ln_weight[h])
        grad_input[batch_idx, seq_idx, h] = inv_std * (
            grad_norm
            - (sum_grad + x_hat * sum_grad_x) / Scalar[dtype](hidden_dim)
        )
