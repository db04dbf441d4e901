def async_copy_overlap_convolution[
    dtype: DType
](
    output: TileTensor[mut=True, dtype, AsyncLayoutType, MutAnyOrigin],
    input: TileTensor[mut=False, dtype, AsyncLayoutType, MutAnyOrigin],
    kernel: LayoutTensor[dtype, kernel_layout, ImmutAnyOrigin],
):
    var input_shared = stack_allocation[
        dtype=dtype, address_space=AddressSpace.SHARED
    ](row_major[CONV_TILE_SIZE]())
    var kernel_shared = stack_allocation[
        dtype=dtype, address_space=AddressSpace.SHARED
    ](row_major[KERNEL_SIZE]())
    var local_i = Int(thread_idx.x)
    var input_tile = input.tile[CONV_TILE_SIZE](Int(block_idx.x))
    comptime load_layout = row_major[THREADS_PER_BLOCK_ASYNC]()
    copy_dram_to_sram_async[thread_layout=load_layout](input_shared, input_tile)
    if local_i < KERNEL_SIZE:
        kernel_shared[local_i] = rebind[kernel_shared.ElementType](
            kernel[local_i]
        )

    async_copy_wait_all()
    barrier()
    var global_i = Int(block_idx.x) * CONV_TILE_SIZE + local_i
    if local_i < CONV_TILE_SIZE and global_i < VECTOR_SIZE:
        if local_i >= HALO_SIZE and local_i < CONV_TILE_SIZE - HALO_SIZE:
            var result: output.ElementType = 0
            for k in range(KERNEL_SIZE):
                var place = local_i + k - HALO_SIZE
                if place >= 0 and place < CONV_TILE_SIZE:
                    result += rebind[output.ElementType](
                        input_shared[place]
                    ) * rebind[output.ElementType](kernel_shared[k])

            output[global_i] = result
        else:
            output[global_i] = rebind[output.ElementType](input_shared[local_i])
