def kernel1(
    output: TileTensor[mut=True, dtype, LayoutType, MutAnyOrigin],
    a: TileTensor[mut=False, dtype, LayoutType, ImmutAnyOrigin],
    b: TileTensor[mut=False, dtype, LayoutType, ImmutAnyOrigin],
    size_dev: Int32,
):
    var size = Int(size_dev)
    var index = Int(block_dim.x * block_idx.x + thread_idx.x)
    if index < size:
        output[index] = a[index] + b[index]


def kernel2(
    output: TileTensor[mut=True, dtype, LayoutType, MutAnyOrigin],
    a: TileTensor[mut=False, dtype, LayoutType, ImmutAnyOrigin],
    b: TileTensor[mut=False, dtype, LayoutType, ImmutAnyOrigin],
    size_dev: Int32,
):
    var size = Int(size_dev)
    var tid = Int(block_idx.x * block_dim.x + thread_idx.x)
    var stride = 512
    var index = tid
    while index < size:
        output[index] = a[index] + b[index]
        index += stride


def kernel3(
    output: TileTensor[mut=True, dtype, LayoutType, MutAnyOrigin],
    a: TileTensor[mut=False, dtype, LayoutType, ImmutAnyOrigin],
    b: TileTensor[mut=False, dtype, LayoutType, ImmutAnyOrigin],
    size_dev: Int32,
):
    var size = Int(size_dev)
    var tid = Int(block_idx.x * block_dim.x + thread_idx.x)
    if tid < size:
        var reversed = size - 1 - tid
        output[reversed] = a[reversed] + b[reversed]
