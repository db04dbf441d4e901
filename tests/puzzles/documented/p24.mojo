def traditional_dot_product_p12_style[
    InLayoutT: TensorLayout, OutLayoutT: TensorLayout, size: Int
](
    output: TileTensor[mut=True, dtype, OutLayoutT, MutAnyOrigin],
    a: TileTensor[mut=False, dtype, InLayoutT, MutAnyOrigin],
    b: TileTensor[mut=False, dtype, InLayoutT, MutAnyOrigin],
):
    var global_i = block_dim.x * block_idx.x + thread_idx.x
    var local_i = thread_idx.x
    var shared = stack_allocation[
        dtype=dtype, address_space=AddressSpace.SHARED
    ](row_major[WARP_SIZE]())
    if global_i < size:
        shared[local_i] = rebind[Scalar[dtype]](a[global_i]) * rebind[
            Scalar[dtype]
        ](b[global_i])
    else:
        shared[local_i] = 0.0

    barrier()

    var stride = WARP_SIZE // 2
    while stride > 0:
        if local_i < stride:
            shared[local_i] += shared[local_i + stride]

        barrier()
        stride //= 2

    if local_i == 0:
        output[global_i // WARP_SIZE] = shared[0]


def simple_warp_dot_product[
    InLayoutT: TensorLayout, OutLayoutT: TensorLayout, size: Int
](
    output: TileTensor[mut=True, dtype, OutLayoutT, MutAnyOrigin],
    a: TileTensor[mut=False, dtype, InLayoutT, MutAnyOrigin],
    b: TileTensor[mut=False, dtype, InLayoutT, MutAnyOrigin],
):
    var global_i = block_dim.x * block_idx.x + thread_idx.x
    var partial: Scalar[dtype] = 0
    if global_i < size:
        partial = rebind[Scalar[dtype]](a[global_i]) * rebind[Scalar[dtype]](
            b[global_i]
        )

    var total = warp_sum(partial)
    if lane_id() == 0:
        output[global_i // WARP_SIZE] = total


def functional_warp_dot_product[
    InLayoutT: TensorLayout,
    OutLayoutT: TensorLayout,
    //,
    dtype: DType,
    simd_width: Int,
    rank: Int,
    size: Int,
](
    output: TileTensor[mut=True, dtype, OutLayoutT, MutAnyOrigin],
    a: TileTensor[mut=False, dtype, InLayoutT, MutAnyOrigin],
    b: TileTensor[mut=False, dtype, InLayoutT, MutAnyOrigin],
    ctx: DeviceContext,
) raises:
    def compute_dot_product[
        simd_width: Int, alignment: Int = 1
    ](indices: Coord) {var}:
        var idx = Int(indices[0].value())
        var partial_product: Scalar[dtype] = 0.0
        if idx < size:
            var a_val = a.load[width=1](Coord(idx))
            var b_val = b.load[width=1](Coord(idx))
            partial_product = rebind[Scalar[dtype]](a_val * b_val)

        var total = warp_sum(partial_product)
        if lane_id() == 0:
            output[idx // WARP_SIZE] = rebind[output.ElementType](total)

    elementwise[1, target="gpu"](compute_dot_product, Coord(size), ctx)
