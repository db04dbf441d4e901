def multi_stage_image_blur_pipeline(
    output: TileTensor[mut=True, dtype, LayoutType, MutAnyOrigin],
    input: TileTensor[mut=False, dtype, LayoutType, MutAnyOrigin],
    size_dev: Int32,
):
    var size = Int(size_dev)
    var global_i = Int(block_dim.x * block_idx.x + thread_idx.x)
    var local_i = Int(thread_idx.x)
    var input_shared = stack_allocation[
        dtype=dtype, address_space=AddressSpace.SHARED
    ](row_major[TPB]())
    var blur_shared = stack_allocation[
        dtype=dtype, address_space=AddressSpace.SHARED
    ](row_major[TPB]())
    if local_i < STAGE1_THREADS:
        if global_i < size:
            input_shared[local_i] = input[global_i] * 1.1
        else:
            input_shared[local_i] = 0
        if local_i + STAGE1_THREADS < TPB:
            if global_i + STAGE1_THREADS < size:
                input_shared[local_i + STAGE1_THREADS] = (
                    input[global_i + STAGE1_THREADS] * 1.1
                )
            else:
                input_shared[local_i + STAGE1_THREADS] = 0

    barrier()
    if local_i >= STAGE1_THREADS:
        var blur_idx = local_i - STAGE1_THREADS
        for second in range(2):
            var center = blur_idx + second * STAGE2_THREADS
            var sum: Scalar[dtype] = 0.0
            var count = 0
            for offset in range(-BLUR_RADIUS, BLUR_RADIUS + 1):
                var sample = center + offset
                if sample >= 0 and sample < TPB:
                    sum += rebind[Scalar[dtype]](input_shared[sample])
                    count += 1

            blur_shared[center] = sum / Scalar[dtype](count)

    barrier()
    if global_i < size:
        var final_value = blur_shared[local_i]
        if local_i > 0:
            final_value = (final_value + blur_shared[local_i - 1]) * 0.6
        if local_i < TPB - 1:
            final_value = (final_value + blur_shared[local_i + 1]) * 0.6

        output[global_i] = final_value

    barrier()


def double_buffered_stencil_computation(
    output: TileTensor[mut=True, dtype, LayoutType, MutAnyOrigin],
    input: TileTensor[mut=False, dtype, LayoutType, MutAnyOrigin],
    size_dev: Int32,
):
    var size = Int(size_dev)
    var global_i = Int(block_dim.x * block_idx.x + thread_idx.x)
    var local_i = Int(thread_idx.x)
    var buffer_A = stack_allocation[
        dtype=dtype, address_space=AddressSpace.SHARED
    ](row_major[TPB]())
    var buffer_B = stack_allocation[
        dtype=dtype, address_space=AddressSpace.SHARED
    ](row_major[TPB]())
    var iter_barrier = stack_allocation[
        dtype=DType.uint64, address_space=AddressSpace.SHARED
    ](row_major[1]())
    if local_i == 0:
        mbarrier_init(iter_barrier.ptr, TPB)

    barrier()
    if global_i < size:
        buffer_A[local_i] = input[global_i]
    else:
        buffer_A[local_i] = 0

    barrier()
    comptime for iteration in range(STENCIL_ITERATIONS):
        var sum: Scalar[dtype] = 0.0
        var count = 0
        for offset in range(-1, 2):
            var sample = local_i + offset
            if sample >= 0 and sample < TPB:
                comptime if iteration % 2 == 0:
                    sum += rebind[Scalar[dtype]](buffer_A[sample])
                else:
                    sum += rebind[Scalar[dtype]](buffer_B[sample])
                count += 1

        comptime if iteration % 2 == 0:
            buffer_B[local_i] = sum / Scalar[dtype](count)
        else:
            buffer_A[local_i] = sum / Scalar[dtype](count)

        var token = mbarrier_arrive(iter_barrier.ptr)
        while not mbarrier_test_wait(iter_barrier.ptr, token):
            pass

    if global_i < size:
        comptime if STENCIL_ITERATIONS % 2 == 0:
            output[global_i] = buffer_A[local_i]
        else:
            output[global_i] = buffer_B[local_i]
