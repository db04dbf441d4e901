def matmul_idiomatic_tiled[
    size: Int
](
    output: TileTensor[mut=True, dtype, LayoutType, MutAnyOrigin],
    a: TileTensor[mut=False, dtype, LayoutType, MutAnyOrigin],
    b: TileTensor[mut=False, dtype, LayoutType, MutAnyOrigin],
):
    var local_row = Int(thread_idx.y)
    var local_col = Int(thread_idx.x)
    var tiled_row = Int(block_idx.y) * TILE_SIZE + local_row
    var tiled_col = Int(block_idx.x) * TILE_SIZE + local_col
    var a_shared = stack_allocation[
        dtype=dtype, address_space=AddressSpace.SHARED
    ](row_major[TILE_SIZE, TILE_SIZE]())
    var b_shared = stack_allocation[
        dtype=dtype, address_space=AddressSpace.SHARED
    ](row_major[TILE_SIZE, TILE_SIZE]())
    var acc: output.ElementType = 0
    comptime load_layout = row_major[TILE_SIZE, TILE_SIZE]()
    for idx in range(size // TILE_SIZE):
        copy_dram_to_sram_async[thread_layout=load_layout](
            a_shared, a.tile[TILE_SIZE, TILE_SIZE](Int(block_idx.y), idx)
        )
        copy_dram_to_sram_async[thread_layout=load_layout](
            b_shared, b.tile[TILE_SIZE, TILE_SIZE](idx, Int(block_idx.x))
        )
        async_copy_wait_all()
        barrier()
        comptime for k in range(TILE_SIZE):
            acc += a_shared[local_row, k] * b_shared[k, local_col]

        barrier()

    if tiled_row < size and tiled_col < size:
        output[tiled_row, tiled_col] = acc


def tensor_core_matrix_multiplication[
    dtype: DType,
    layout_a: Layout,
    layout_b: Layout,
    layout_c: Layout,
    BM: Int,
    BN: Int,
    BK: Int,
    WM: Int,
    WN: Int,
    MMA_M: Int,
    MMA_N: Int,
    MMA_K: Int,
](
    A: LayoutTensor[dtype, layout_a, ImmutAnyOrigin],
    B: LayoutTensor[dtype, layout_b, ImmutAnyOrigin],
    C: LayoutTensor[dtype, layout_c, MutAnyOrigin],
):
    comptime K = A.shape[1]()
    var warp_id = Int(thread_idx.x) // WARP_SIZE
    var warp_y = warp_id // (BN // WN)
    var warp_x = warp_id % (BN // WN)
    var C_block_tile = C.tile[BM, BN](Int(block_idx.y), Int(block_idx.x))
    var C_warp_tile = C_block_tile.tile[WM, WN](warp_y, warp_x)
    var mma_op = TensorCore[dtype, dtype, Index(MMA_M, MMA_N, MMA_K)]()
    var A_sram_tile = LayoutTensor[
        dtype,
        Layout.row_major(BM, BK),
        MutAnyOrigin,
        address_space=AddressSpace.SHARED,
    ].stack_allocation()
    var B_sram_tile = LayoutTensor[
        dtype,
        Layout.row_major(BK, BN),
        MutAnyOrigin,
        address_space=AddressSpace.SHARED,
    ].stack_allocation()
    var C_reg = (
        LayoutTensor[
            dtype,
            Layout.row_major(WM // MMA_M, WN * 4 // MMA_N),
            MutAnyOrigin,
            address_space=AddressSpace.LOCAL,
        ]
        .stack_allocation()
        .fill(0)
    )
    for k_i in range(K // BK):
        copy_tensor_async[
            thread_layout=Layout.row_major(4, 8),
            num_threads=256,
            block_dim_count=BLOCK_DIM_COUNT,
        ](
            A_sram_tile.vectorize[1, 4](),
            A.tile[BM, BK](Int(block_idx.y), k_i).vectorize[1, 4](),
        )
        copy_tensor_async[
            thread_layout=Layout.row_major(4, 8),
            num_threads=256,
            block_dim_count=BLOCK_DIM_COUNT,
        ](
            B_sram_tile.vectorize[1, 4](),
            B.tile[BK, BN](k_i, Int(block_idx.x)).vectorize[1, 4](),
        )
        async_copy_wait_all()
        barrier()
        var A_warp_tile = A_sram_tile.tile[WM, BK](warp_y, 0)
        var B_warp_tile = B_sram_tile.tile[BK, WN](0, warp_x)
        comptime for mma_k in range(BK // MMA_K):
            comptime for mma_m in range(WM // MMA_M):
                comptime for mma_n in range(WN // MMA_N):
                    var A_frag = mma_op.load_a(
                        A_warp_tile.tile[MMA_M, MMA_K](mma_m, mma_k)
                    )
                    var B_frag = mma_op.load_b(
                        B_warp_tile.tile[MMA_K, MMA_N](mma_k, mma_n)
                    )
                    var C_frag = C_reg.tile[1, 4](mma_m, mma_n)
                    C_frag.copy_from(mma_op.mma_op(A_frag, B_frag, C_frag))

        barrier()

    comptime for mma_m in range(WM // MMA_M):
        comptime for mma_n in range(WN // MMA_N):
            mma_op.store_d(
                C_warp_tile.tile[MMA_M, MMA_N](mma_m, mma_n),
                C_reg.tile[1, 4](mma_m, mma_n),
            )
