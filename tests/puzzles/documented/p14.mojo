def prefix_sum_simple(
    output: TileTensor[mut=True, dtype, LayoutType, MutAnyOrigin],
    a: TileTensor[mut=False, dtype, LayoutType, ImmutAnyOrigin],
    size_dev: Int32,
):
    var size = Int(size_dev)
    var global_i = block_dim.x * block_idx.x + thread_idx.x
    var local_i = thread_idx.x
    var shared = stack_allocation[
        dtype=dtype, address_space=AddressSpace.SHARED
    ](row_major[TPB]())
    if global_i < size:
        shared[local_i] = a[global_i]

    barrier()

    var offset = 1
    for _ in range(3):
        var before: output.ElementType = 0
        if local_i >= offset and local_i < TPB:
            before = shared[local_i - offset]

        barrier()
        if local_i >= offset and local_i < TPB:
            shared[local_i] += before

        barrier()
        offset *= 2

    if global_i < size:
        output[global_i] = shared[local_i]


def prefix_sum_local_phase(
    output: TileTensor[mut=True, dtype, ExtendedLayoutType, MutAnyOrigin],
    a: TileTensor[mut=False, dtype, Layout2Type, ImmutAnyOrigin],
    size_dev: Int32,
):
    var size = Int(size_dev)
    var global_i = block_dim.x * block_idx.x + thread_idx.x
    var local_i = thread_idx.x
    var shared = stack_allocation[
        dtype=dtype, address_space=AddressSpace.SHARED
    ](row_major[TPB]())
    if global_i < size:
        shared[local_i] = a[global_i]
    else:
        shared[local_i] = 0

    barrier()

    var offset = 1
    for _ in range(3):
        var before: output.ElementType = 0
        if local_i >= offset and local_i < TPB:
            before = shared[local_i - offset]

        barrier()
        if local_i >= offset and local_i < TPB:
            shared[local_i] += before

        barrier()
        offset *= 2

    if global_i < size:
        output[global_i] = shared[local_i]

    if local_i == TPB - 1:
        output[size + block_idx.x] = shared[local_i]


def prefix_sum_block_sum_phase(
    output: TileTensor[mut=True, dtype, ExtendedLayoutType, MutAnyOrigin],
    size_dev: Int32,
):
    var size = Int(size_dev)
    var global_i = block_dim.x * block_idx.x + thread_idx.x
    if block_idx.x > 0 and global_i < size:
        var total = output[size + block_idx.x - 1]
        output[global_i] += total
