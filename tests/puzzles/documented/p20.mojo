def conv1d_kernel[
    input_size: Int,
    conv_size: Int,
    OutLayout: TensorLayout,
    InLayout: TensorLayout,
    ConvLayout: TensorLayout,
    dtype: DType = DType.float32,
](
    output: TileTensor[mut=True, dtype, OutLayout, MutAnyOrigin],
    input: TileTensor[mut=True, dtype, InLayout, MutAnyOrigin],
    kernel: TileTensor[mut=True, dtype, ConvLayout, MutAnyOrigin],
):
    var global_i = Int(block_dim.x * block_idx.x + thread_idx.x)
    var local_i = Int(thread_idx.x)
    var shared_a = stack_allocation[
        dtype=dtype, address_space=AddressSpace.SHARED
    ](row_major[TPB + conv_size - 1]())
    var shared_b = stack_allocation[
        dtype=dtype, address_space=AddressSpace.SHARED
    ](row_major[conv_size]())
    if global_i < input_size:
        shared_a[local_i] = input[global_i]
    else:
        shared_a[local_i] = 0

    if local_i < conv_size - 1:
        var next_idx = global_i + TPB
        if next_idx < input_size:
            shared_a[TPB + local_i] = input[next_idx]
        else:
            shared_a[TPB + local_i] = 0

    if local_i < conv_size:
        shared_b[local_i] = kernel[local_i]

    barrier()
    if global_i < input_size:
        var local_sum: output.ElementType = 0
        comptime for j in range(conv_size):
            if local_i + j < TPB + conv_size - 1:
                local_sum += rebind[output.ElementType](
                    shared_a[local_i + j]
                ) * rebind[output.ElementType](shared_b[j])

        output[global_i] = local_sum
