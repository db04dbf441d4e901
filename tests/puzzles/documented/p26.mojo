def butterfly_pair_swap[
    size: Int
](
    output: TileTensor[mut=True, dtype, LayoutType, MutAnyOrigin],
    input: TileTensor[mut=False, dtype, LayoutType, ImmutAnyOrigin],
):
    var global_i = block_dim.x * block_idx.x + thread_idx.x

    if global_i < size:
        var current_val = input[global_i]
        var swapped_val = shuffle_xor(current_val, 1)
        output[global_i] = swapped_val


def butterfly_parallel_max[
    size: Int
](
    output: TileTensor[mut=True, dtype, LayoutType, MutAnyOrigin],
    input: TileTensor[mut=False, dtype, LayoutType, ImmutAnyOrigin],
):
    var global_i = block_dim.x * block_idx.x + thread_idx.x

    if global_i < size:
        var max_val = input[global_i]
        var offset = WARP_SIZE // 2
        while offset > 0:
            max_val = max(max_val, shuffle_xor(max_val, UInt32(offset)))
            offset //= 2

        output[global_i] = max_val


def butterfly_conditional_max[
    size: Int
](
    output: TileTensor[mut=True, dtype, LayoutType_2, MutAnyOrigin],
    input: TileTensor[mut=False, dtype, Layout2Type, ImmutAnyOrigin],
):
    var global_i = block_dim.x * block_idx.x + thread_idx.x
    var lane = lane_id()

    if global_i < size:
        var current_val = input[global_i]
        var min_val = current_val
        var offset = WARP_SIZE // 2
        while offset > 0:
            var neighbor_val = shuffle_xor(current_val, UInt32(offset))
            current_val = max(current_val, neighbor_val)
            min_val = min(min_val, shuffle_xor(min_val, UInt32(offset)))
            offset //= 2

        if lane % 2 == 0:
            output[global_i] = current_val
        else:
            output[global_i] = min_val


def warp_inclusive_prefix_sum[
    size: Int
](
    output: TileTensor[mut=True, dtype, LayoutType, MutAnyOrigin],
    input: TileTensor[mut=False, dtype, LayoutType, ImmutAnyOrigin],
):
    var global_i = block_dim.x * block_idx.x + thread_idx.x

    if global_i < size:
        var current_val = input[global_i]
        var scan_result = prefix_sum[exclusive=False](current_val)
        output[global_i] = scan_result


def warp_partition[
    size: Int
](
    output: TileTensor[mut=True, dtype, LayoutType, MutAnyOrigin],
    input: TileTensor[mut=False, dtype, LayoutType, ImmutAnyOrigin],
    pivot: Float32,
):
    var global_i = block_dim.x * block_idx.x + thread_idx.x

    if global_i < size:
        var current_val = rebind[Scalar[dtype]](input[global_i])
        var goes_left = Scalar[dtype](1) if current_val < pivot else Scalar[
            dtype
        ](0)
        var goes_right = Scalar[dtype](1) - goes_left
        var left_place = prefix_sum[exclusive=True](goes_left)
        var right_place = prefix_sum[exclusive=True](goes_right)
        var left_total = goes_left
        var offset = WARP_SIZE // 2
        while offset > 0:
            left_total += shuffle_xor(left_total, UInt32(offset))
            offset //= 2

        if current_val < pivot:
            output[Int(left_place)] = current_val
        else:
            output[Int(left_total + right_place)] = current_val
