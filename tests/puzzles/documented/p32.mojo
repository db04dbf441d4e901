def no_conflict_kernel(
    output: TileTensor[mut=True, dtype, LayoutType, MutAnyOrigin],
    input: TileTensor[mut=False, dtype, LayoutType, ImmutAnyOrigin],
    size_dev: Int32,
):
    var size = Int(size_dev)
    var shared_buf = stack_allocation[
        dtype=dtype, address_space=AddressSpace.SHARED
    ](row_major[TPB]())
    var global_i = Int(block_dim.x * block_idx.x + thread_idx.x)
    var local_i = Int(thread_idx.x)
    if global_i < size:
        shared_buf[local_i] = input[global_i] + 10.0

    barrier()
    if global_i < size:
        output[global_i] = shared_buf[local_i] * 2.0

    barrier()


def two_way_conflict_kernel(
    output: TileTensor[mut=True, dtype, LayoutType, MutAnyOrigin],
    input: TileTensor[mut=False, dtype, LayoutType, ImmutAnyOrigin],
    size_dev: Int32,
):
    var size = Int(size_dev)
    var shared_buf = stack_allocation[
        dtype=dtype, address_space=AddressSpace.SHARED
    ](row_major[TPB * 2]())
    var global_i = Int(block_dim.x * block_idx.x + thread_idx.x)
    var conflict_index = Int(thread_idx.x) * 2
    if global_i < size:
        shared_buf[conflict_index] = input[global_i] + 10.0

    barrier()
    if global_i < size:
        output[global_i] = shared_buf[conflict_index] * 2.0

    barrier()
