def scalar_kernel(
    output: TileTensor[mut=True, dtype, LayoutType, MutAnyOrigin],
    a: TileTensor[mut=False, dtype, LayoutType, ImmutAnyOrigin],
    size_dev: Int32,
):
    var size = Int(size_dev)
    var i = Int(block_dim.x * block_idx.x + thread_idx.x)
    if i < size:
        output[i] = a[i] * SCALE + BIAS


def unaligned_kernel(
    output: TileTensor[mut=True, dtype, LayoutType, MutAnyOrigin],
    a: TileTensor[mut=False, dtype, LayoutType, ImmutAnyOrigin],
    size_dev: Int32,
):
    var size = Int(size_dev)
    var i = Int(block_dim.x * block_idx.x + thread_idx.x) * SIMD_WIDTH
    if i + SIMD_WIDTH <= size:
        comptime natural = align_of[Scalar[dtype]]()
        var loaded = a.load[width=SIMD_WIDTH, alignment=natural](Coord(i))
        output.store[alignment=natural](Coord(i), loaded * SCALE + BIAS)


def aligned_kernel(
    output: TileTensor[mut=True, dtype, LayoutType, MutAnyOrigin],
    a: TileTensor[mut=False, dtype, LayoutType, ImmutAnyOrigin],
    size_dev: Int32,
):
    var size = Int(size_dev)
    var i = Int(block_dim.x * block_idx.x + thread_idx.x) * SIMD_WIDTH
    if i + SIMD_WIDTH <= size:
        comptime vector = align_of[SIMD[dtype, SIMD_WIDTH]]()
        var loaded = a.load[width=SIMD_WIDTH, alignment=vector](Coord(i))
        output.store[alignment=vector](Coord(i), loaded * SCALE + BIAS)
