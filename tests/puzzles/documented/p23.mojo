def elementwise_add[
    LayoutT: TensorLayout, dtype: DType, simd_width: Int, rank: Int, size: Int
](
    output: TileTensor[mut=True, dtype, LayoutT, MutAnyOrigin],
    a: TileTensor[mut=False, dtype, LayoutT, MutAnyOrigin],
    b: TileTensor[mut=False, dtype, LayoutT, MutAnyOrigin],
    ctx: DeviceContext,
) raises:
    def add[width: Int, alignment: Int = 1](indices: Coord) {var}:
        var idx = Int(indices[0].value())
        var a_simd = a.load[width=width](Coord(idx))
        var b_simd = b.load[width=width](Coord(idx))
        output.store[width=width](Coord(idx), a_simd + b_simd)

    elementwise[simd_width, target="gpu"](add, Coord(size), ctx)


def tiled_elementwise_add[
    LayoutT: TensorLayout,
    dtype: DType,
    simd_width: Int,
    rank: Int,
    size: Int,
    tile_size: Int,
](
    output: TileTensor[mut=True, dtype, LayoutT, MutAnyOrigin],
    a: TileTensor[mut=False, dtype, LayoutT, MutAnyOrigin],
    b: TileTensor[mut=False, dtype, LayoutT, MutAnyOrigin],
    ctx: DeviceContext,
) raises:
    def process_tiles[width: Int, alignment: Int = 1](indices: Coord) {var}:
        var tile_id = Int(indices[0].value())
        var output_tile = output.tile[tile_size](tile_id)
        var a_tile = a.tile[tile_size](tile_id)
        var b_tile = b.tile[tile_size](tile_id)
        comptime for i in range(tile_size):
            var sum = a_tile.load[width=1](Coord(i)) + b_tile.load[width=1](
                Coord(i)
            )
            output_tile.store[width=1](Coord(i), sum)

    elementwise[1, target="gpu"](
        process_tiles, Coord((size + tile_size - 1) // tile_size), ctx
    )


def manual_vectorized_tiled_elementwise_add[
    LayoutT: TensorLayout,
    dtype: DType,
    simd_width: Int,
    num_threads_per_tile: Int,
    rank: Int,
    size: Int,
    tile_size: Int,
](
    output: TileTensor[mut=True, dtype, LayoutT, MutAnyOrigin],
    a: TileTensor[mut=False, dtype, LayoutT, MutAnyOrigin],
    b: TileTensor[mut=False, dtype, LayoutT, MutAnyOrigin],
    ctx: DeviceContext,
) raises:
    comptime chunk_size = tile_size * simd_width

    def process_chunk[width: Int, alignment: Int = 1](indices: Coord) {var}:
        var tile_id = Int(indices[0].value())
        comptime for i in range(tile_size):
            var global_start = tile_id * chunk_size + i * simd_width
            if global_start + simd_width <= size:
                var a_vec = a.load[width=simd_width](Coord(global_start))
                var b_vec = b.load[width=simd_width](Coord(global_start))
                output.store[width=simd_width](
                    Coord(global_start), a_vec + b_vec
                )

    elementwise[num_threads_per_tile, target="gpu"](
        process_chunk, Coord((size + chunk_size - 1) // chunk_size), ctx
    )


def vectorize_within_tiles_elementwise_add[
    LayoutT: TensorLayout,
    dtype: DType,
    simd_width: Int,
    num_threads_per_tile: Int,
    rank: Int,
    size: Int,
    tile_size: Int,
](
    output: TileTensor[mut=True, dtype, LayoutT, MutAnyOrigin],
    a: TileTensor[mut=False, dtype, LayoutT, MutAnyOrigin],
    b: TileTensor[mut=False, dtype, LayoutT, MutAnyOrigin],
    ctx: DeviceContext,
) raises:
    def process_tile[width: Int, alignment: Int = 1](indices: Coord) {var}:
        var tile_start = Int(indices[0].value()) * tile_size
        var actual_size = min(tile_size, size - tile_start)

        def vectorized_add[width: Int](i: Int) {var}:
            var global_idx = tile_start + i
            if global_idx + width <= size:
                var a_vec = a.load[width=width](Coord(global_idx))
                var b_vec = b.load[width=width](Coord(global_idx))
                output.store[width=width](Coord(global_idx), a_vec + b_vec)

        vectorize[simd_width](actual_size, vectorized_add)

    elementwise[num_threads_per_tile, target="gpu"](
        process_tile, Coord((size + tile_size - 1) // tile_size), ctx
    )
