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
