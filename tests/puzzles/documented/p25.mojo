def neighbor_difference[
    size: Int
](
    output: TileTensor[mut=True, dtype, LayoutType, MutAnyOrigin],
    input: TileTensor[mut=False, dtype, LayoutType, MutAnyOrigin],
):
    var global_i = block_dim.x * block_idx.x + thread_idx.x
    var lane = Int(lane_id())
    if global_i < size:
        var current = input[global_i]
        var following = shuffle_down(current, UInt32(1))
        if lane < WARP_SIZE - 1:
            output[global_i] = following - current
        else:
            output[global_i] = 0


def basic_broadcast[
    size: Int
](
    output: TileTensor[mut=True, dtype, LayoutType, MutAnyOrigin],
    input: TileTensor[mut=False, dtype, LayoutType, MutAnyOrigin],
):
    var global_i = block_dim.x * block_idx.x + thread_idx.x
    var lane = Int(lane_id())
    if global_i < size:
        var held: output.ElementType = 0
        if lane == 0:
            var block_start = block_idx.x * block_dim.x
            for i in range(4):
                if block_start + i < size:
                    held += input[block_start + i]

        held = broadcast(held)
        output[global_i] = held + input[global_i]


def conditional_broadcast[
    size: Int
](
    output: TileTensor[mut=True, dtype, LayoutType, MutAnyOrigin],
    input: TileTensor[mut=False, dtype, LayoutType, MutAnyOrigin],
):
    var global_i = block_dim.x * block_idx.x + thread_idx.x
    var lane = Int(lane_id())
    if global_i < size:
        var decision: output.ElementType = 0
        if lane == 0:
            var block_start = block_idx.x * block_dim.x
            decision = input[block_start]
            for i in range(1, min(8, WARP_SIZE)):
                if block_start + i < size:
                    decision = max(decision, input[block_start + i])

        decision = broadcast(decision)
        var current = input[global_i]
        if current >= decision / 2:
            output[global_i] = current * 2
        else:
            output[global_i] = current / 2


def moving_average_3[
    size: Int
](
    output: TileTensor[mut=True, dtype, Layout2Type, MutAnyOrigin],
    input: TileTensor[mut=False, dtype, Layout2Type, MutAnyOrigin],
):
    var global_i = block_dim.x * block_idx.x + thread_idx.x
    var lane = Int(lane_id())
    if global_i < size:
        var current = input[global_i]
        var next_one = shuffle_down(current, UInt32(1))
        var next_two = shuffle_down(current, UInt32(2))
        if lane < WARP_SIZE - 2 and global_i < size - 2:
            output[global_i] = (current + next_one + next_two) / 3.0
        elif lane < WARP_SIZE - 1 and global_i < size - 1:
            output[global_i] = (current + next_one) / 2.0
        else:
            output[global_i] = current


def broadcast_shuffle_coordination[
    size: Int
](
    output: TileTensor[mut=True, dtype, LayoutType, MutAnyOrigin],
    input: TileTensor[mut=False, dtype, LayoutType, MutAnyOrigin],
):
    var global_i = block_dim.x * block_idx.x + thread_idx.x
    var lane = Int(lane_id())
    if global_i < size:
        var scale: output.ElementType = 0
        if lane == 0:
            var block_start = block_idx.x * block_dim.x
            var total: output.ElementType = 0
            for i in range(4):
                if block_start + i < size:
                    total += input[block_start + i]

            scale = total / 4.0

        scale = broadcast(scale)
        var current = input[global_i]
        var following = shuffle_down(current, UInt32(1))
        if lane < WARP_SIZE - 1 and global_i < size - 1:
            output[global_i] = (current + following) * scale
        else:
            output[global_i] = current * scale
