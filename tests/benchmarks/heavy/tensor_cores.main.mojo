

comptime SQUARE = Layout.row_major(SIZE, SIZE)
comptime multiply = tensor_core_matrix_multiplication[
    dtype, SQUARE, SQUARE, SQUARE, BM, BN, BK, WM, WN, MMA_M, MMA_N, MMA_K
]


def main() raises:
    with DeviceContext() as ctx:
        var a = ctx.enqueue_create_buffer[dtype](SIZE * SIZE)
        var b = ctx.enqueue_create_buffer[dtype](SIZE * SIZE)
        var c = ctx.enqueue_create_buffer[dtype](SIZE * SIZE)
        with a.map_to_host() as left, b.map_to_host() as right:
            for i in range(SIZE * SIZE):
                left[i] = Float32((i * 7) % 5)
                right[i] = Float32((i * 3) % 4)
        ctx.enqueue_function[multiply](
            LayoutTensor[dtype, SQUARE, ImmutAnyOrigin](a),
            LayoutTensor[dtype, SQUARE, ImmutAnyOrigin](b),
            LayoutTensor[dtype, SQUARE, MutAnyOrigin](c),
            grid_dim=BLOCKS_PER_GRID_TENSOR_CORE,
            block_dim=THREADS_PER_BLOCK_TENSOR_CORE,
        )
        with a.map_to_host() as x, b.map_to_host() as y, c.map_to_host() as z:
            for place in range(0, SIZE * SIZE, 104729):
                var total = Float32(0)
                for k in range(SIZE):
                    total += (
                        x[place // SIZE * SIZE + k] * y[k * SIZE + place % SIZE]
                    )
                assert_equal(z[place], total)
        print("product ok")
