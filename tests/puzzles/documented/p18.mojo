def softmax_gpu_kernel[
    Layout: TensorLayout,
    input_size: Int,
    dtype: DType = DType.float32,
](
    output: TileTensor[mut=True, dtype, Layout, MutAnyOrigin],
    input: TileTensor[mut=False, dtype, Layout, MutAnyOrigin],
):
    comptime assert dtype.is_floating_point(), "of numbers with a fraction"
    var shared_max = stack_allocation[
        dtype=dtype, address_space=AddressSpace.SHARED
    ](row_major[BLOCK_DIM_X]())
    var shared_sum = stack_allocation[
        dtype=dtype, address_space=AddressSpace.SHARED
    ](row_major[BLOCK_DIM_X]())
    var global_i = Int(thread_idx.x)
    var val: Scalar[dtype] = min_finite[dtype]()
    if global_i < input_size:
        val = rebind[Scalar[dtype]](input[global_i])

    shared_max[global_i] = val
    barrier()
    var stride = BLOCK_DIM_X // 2
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
    stride = BLOCK_DIM_X // 2
    while stride > 0:
        if global_i < stride:
            shared_sum[global_i] += shared_sum[global_i + stride]

        barrier()
        stride = stride // 2

    var block_sum = rebind[Scalar[dtype]](shared_sum[0])
    if global_i < input_size:
        output[global_i] = exp_val / block_sum
