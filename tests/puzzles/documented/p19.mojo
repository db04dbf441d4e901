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
    var global_row = Int(block_idx.y * block_dim.y) + local_row
    var global_col = Int(block_idx.x * block_dim.x) + local_col
    if global_row < rows and global_col < cols:
        shared_tile[local_row, local_col] = inp[global_row, global_col]

    barrier()
    var turned_row = Int(block_idx.x * block_dim.x) + local_row
    var turned_col = Int(block_idx.y * block_dim.y) + local_col
    if turned_row < cols and turned_col < rows:
        output[turned_row, turned_col] = shared_tile[local_col, local_row]


def softmax_gpu_kernel[
    input_size: Int,
    LayoutType: TensorLayout,
    dtype: DType = DType.float32,
](
    output: TileTensor[mut=True, dtype, LayoutType, MutAnyOrigin],
    input: TileTensor[mut=True, dtype, LayoutType, MutAnyOrigin],
):
    comptime assert dtype.is_floating_point(), "of numbers with a fraction"
    var shared_max = stack_allocation[
        dtype=dtype, address_space=AddressSpace.SHARED
    ](row_major[SOFTMAX_BLOCK_DIM_X]())
    var shared_sum = stack_allocation[
        dtype=dtype, address_space=AddressSpace.SHARED
    ](row_major[SOFTMAX_BLOCK_DIM_X]())
    var global_i = Int(thread_idx.x)
    var val: Scalar[dtype] = min_finite[dtype]()
    if global_i < input_size:
        val = rebind[Scalar[dtype]](input[global_i])

    shared_max[global_i] = val
    barrier()
    var stride = SOFTMAX_BLOCK_DIM_X // 2
    while stride > 0:
        if global_i < stride:
            shared_max[global_i] = max(
                shared_max[global_i], shared_max[global_i + stride]
            )

        barrier()
        stride = stride // 2

    var block_max = rebind[Scalar[dtype]](shared_max[0])
    var exp_val: Scalar[dtype] = 0.0
    if global_i < input_size:
        exp_val = exp(val - block_max)

    shared_sum[global_i] = exp_val
    barrier()
    stride = SOFTMAX_BLOCK_DIM_X // 2
    while stride > 0:
        if global_i < stride:
            shared_sum[global_i] += shared_sum[global_i + stride]

        barrier()
        stride = stride // 2

    var block_sum = rebind[Scalar[dtype]](shared_sum[0])
    if global_i < input_size:
        output[global_i] = exp_val / block_sum
