def process_sliding_window(
    output: UnsafePointer[Scalar[dtype], MutAnyOrigin],
    a: UnsafePointer[Scalar[dtype], MutAnyOrigin],
):
    var thread_id = thread_idx.x
    var window_sum = Scalar[dtype](0.0)
    for offset in range(-1, 2):
        var idx = Int(thread_id) + offset
        if idx >= 0 and idx < SIZE:
            window_sum += a[idx]

    output[thread_id] = window_sum


def collaborative_filter(
    output: UnsafePointer[Scalar[dtype], MutAnyOrigin],
    a: UnsafePointer[Scalar[dtype], MutAnyOrigin],
):
    var thread_id = thread_idx.x
    var workspace = stack_allocation[
        dtype=dtype, address_space=AddressSpace.SHARED
    ](row_major[SIZE]())
    workspace[thread_id] = a[thread_id]
    barrier()
    var left = Scalar[dtype](0)
    if thread_id > 0:
        left = rebind[Scalar[dtype]](workspace[thread_id - 1])

    if thread_id < SIZE - 1:
        output[thread_id] = a[thread_id] + left * 0.5
    else:
        output[thread_id] = a[thread_id]


def add_10(
    output: UnsafePointer[Scalar[dtype], MutAnyOrigin],
    a: UnsafePointer[Scalar[dtype], MutAnyOrigin],
):
    var i = thread_idx.x
    output[i] = a[i] + 10.0
