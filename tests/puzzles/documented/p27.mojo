def block_sum_dot_product[
    tpb: Int
](
    output: TileTensor[mut=True, dtype, OutLayout, MutAnyOrigin],
    a: TileTensor[mut=False, dtype, InLayout, ImmutAnyOrigin],
    b: TileTensor[mut=False, dtype, InLayout, ImmutAnyOrigin],
    size_dev: Int32,
):
    var size = Int(size_dev)
    var global_i = block_dim.x * block_idx.x + thread_idx.x
    var local_i = thread_idx.x
    var partial: Scalar[dtype] = 0.0
    if global_i < size:
        partial = rebind[Scalar[dtype]](a[global_i]) * rebind[Scalar[dtype]](
            b[global_i]
        )

    var total = block.sum[block_size=tpb, broadcast=False](partial)
    if local_i == 0:
        output[0] = total


def traditional_dot_product[
    tpb: Int
](
    output: TileTensor[mut=True, dtype, OutLayout, MutAnyOrigin],
    a: TileTensor[mut=False, dtype, InLayout, ImmutAnyOrigin],
    b: TileTensor[mut=False, dtype, InLayout, ImmutAnyOrigin],
    size_dev: Int32,
):
    var size = Int(size_dev)
    var global_i = block_dim.x * block_idx.x + thread_idx.x
    var local_i = thread_idx.x
    var shared = stack_allocation[
        dtype=dtype, address_space=AddressSpace.SHARED
    ](row_major[tpb]())
    if global_i < size:
        shared[local_i] = a[global_i] * b[global_i]
    else:
        shared[local_i] = 0.0

    barrier()

    var stride = tpb // 2
    while stride > 0:
        if local_i < stride:
            shared[local_i] += shared[local_i + stride]

        barrier()
        stride //= 2

    if local_i == 0:
        output[0] = shared[0]


def block_histogram_bin_extract[
    tpb: Int
](
    input_data: TileTensor[mut=False, dtype, InLayout, ImmutAnyOrigin],
    bin_output: TileTensor[mut=True, dtype, BinLayout, MutAnyOrigin],
    count_output: TileTensor[mut=True, DType.int32, OutLayout, MutAnyOrigin],
    size_dev: Int32,
    target_bin_dev: Int32,
    num_bins_dev: Int32,
):
    var size = Int(size_dev)
    var target_bin = Int(target_bin_dev)
    var num_bins = Int(num_bins_dev)
    var global_i = block_dim.x * block_idx.x + thread_idx.x
    var local_i = thread_idx.x
    var value: Scalar[dtype] = 0.0
    var bin = -1
    if global_i < size:
        value = rebind[Scalar[dtype]](input_data[global_i])
        bin = Int(floor(value * Scalar[dtype](num_bins)))
        if bin >= num_bins:
            bin = num_bins - 1

        if bin < 0:
            bin = 0

    var belongs: Int32 = 0
    if global_i < size and bin == target_bin:
        belongs = 1

    var place = block.prefix_sum[block_size=tpb, exclusive=True](belongs)
    if belongs == 1:
        bin_output[Int(place)] = value

    if local_i == tpb - 1:
        count_output[0] = place + belongs


def block_normalize_vector[
    tpb: Int
](
    input_data: TileTensor[mut=False, dtype, InLayout, ImmutAnyOrigin],
    output_data: TileTensor[mut=True, dtype, VectorLayout, MutAnyOrigin],
    size_dev: Int32,
):
    var size = Int(size_dev)
    var global_i = block_dim.x * block_idx.x + thread_idx.x
    var local_i = thread_idx.x
    var value: Scalar[dtype] = 0.0
    if global_i < size:
        value = rebind[Scalar[dtype]](input_data[global_i])

    var total = block.sum[block_size=tpb, broadcast=False](value)
    var mean: Scalar[dtype] = 1.0
    if local_i == 0:
        if total > 0.0:
            mean = total / Scalar[dtype](size)

    mean = block.broadcast[block_size=tpb](mean, 0)
    if global_i < size:
        output_data[global_i] = value / mean
