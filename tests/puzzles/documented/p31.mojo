def minimal_kernel(
    y: TileTensor[mut=True, dtype, LayoutType, MutAnyOrigin],
    x: TileTensor[mut=False, dtype, LayoutType, ImmutAnyOrigin],
    alpha: Float32,
    size_dev: Int32,
):
    var size = Int(size_dev)
    var i = block_dim.x * block_idx.x + thread_idx.x
    if i < size:
        y[i] = alpha * x[i] + y[i]


def sophisticated_kernel(
    y: TileTensor[mut=True, dtype, LayoutType, MutAnyOrigin],
    x: TileTensor[mut=False, dtype, LayoutType, ImmutAnyOrigin],
    alpha: Float32,
    size_dev: Int32,
):
    var size = Int(size_dev)
    var shared_cache = stack_allocation[
        dtype=dtype, address_space=AddressSpace.SHARED
    ](row_major[12 * TPB]())
    var i = Int(block_dim.x * block_idx.x + thread_idx.x)
    var local_i = Int(thread_idx.x)
    if i < size:
        var x_val = rebind[Scalar[dtype]](x[i])
        var x1 = x_val * 1.0001
        var x2 = x1 * 0.9999
        var x3 = x2 * 1.000001
        var x4 = x3 * 0.999999
        var y_val = rebind[Scalar[dtype]](y[i])
        var y1 = y_val * 1.000005
        var y2 = y1 * 0.999995
        var y3 = y2 * 1.0000001
        var y4 = y3 * 0.9999999
        var a1 = alpha * 1.00001 * 0.99999
        var a2 = a1 * 1.000001 * 0.999999
        var a3 = a2 * 1.0000001 * 0.9999999
        var a4 = a3 * 1.00000001 * 0.99999999
        var squared = x4 * x4
        shared_cache[local_i] = x4
        shared_cache[TPB + local_i] = y4
        shared_cache[2 * TPB + local_i] = squared
        barrier()
        var power = rebind[Scalar[dtype]](shared_cache[2 * TPB + local_i])
        var series = power * 1e-7 - power * power * 1e-8
        series += (
            power * power * power * 1e-9
            - power * power * power * power * 1e-10
        )
        y[i] = (
            a4 * rebind[Scalar[dtype]](shared_cache[local_i])
            + rebind[Scalar[dtype]](shared_cache[TPB + local_i])
            + series
        )


def balanced_kernel(
    y: TileTensor[mut=True, dtype, LayoutType, MutAnyOrigin],
    x: TileTensor[mut=False, dtype, LayoutType, ImmutAnyOrigin],
    alpha: Float32,
    size_dev: Int32,
):
    var size = Int(size_dev)
    var shared_cache = stack_allocation[
        dtype=dtype, address_space=AddressSpace.SHARED
    ](row_major[4 * TPB]())
    var i = Int(block_dim.x * block_idx.x + thread_idx.x)
    var local_i = Int(thread_idx.x)
    if i < size:
        var enhanced_x = rebind[Scalar[dtype]](x[i]) * 1.00001 * 0.99999
        var stable_y = rebind[Scalar[dtype]](y[i]) * 1.00001 * 0.99999
        shared_cache[local_i] = enhanced_x
        shared_cache[TPB + local_i] = stable_y

    barrier()
    if i < size:
        var own_x = rebind[Scalar[dtype]](shared_cache[local_i])
        var own_y = rebind[Scalar[dtype]](shared_cache[TPB + local_i])
        var stable_alpha = alpha * 1.000001 * 0.999999
        y[i] = stable_alpha * own_x + own_y + own_x * own_x * 1e-6
