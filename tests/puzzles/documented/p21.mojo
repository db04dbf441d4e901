def embedding_kernel_coalesced[
    batch_size: Int,
    seq_len: Int,
    vocab_size: Int,
    embed_dim: Int,
    OutLayout: TensorLayout,
    IndicesLayout: TensorLayout,
    WeightsLayout: TensorLayout,
    dtype: DType = DType.float32,
](
    output: TileTensor[mut=True, dtype, OutLayout, MutAnyOrigin],
    indices: TileTensor[mut=True, DType.int32, IndicesLayout, MutAnyOrigin],
    weights: TileTensor[mut=True, dtype, WeightsLayout, MutAnyOrigin],
):
    var global_idx = Int(block_idx.x * block_dim.x + thread_idx.x)
    if global_idx < batch_size * seq_len * embed_dim:
        var batch_idx = global_idx // (seq_len * embed_dim)
        var rest = global_idx % (seq_len * embed_dim)
        var seq_idx = rest // embed_dim
        var embed_idx = rest % embed_dim
        var token = Int(indices[batch_idx, seq_idx])
        if token >= 0 and token < vocab_size:
            output[batch_idx, seq_idx, embed_idx] = rebind[output.ElementType](
                weights[token, embed_idx]
            )
        else:
            output[batch_idx, seq_idx, embed_idx] = 0


def embedding_kernel_2d[
    batch_size: Int,
    seq_len: Int,
    vocab_size: Int,
    embed_dim: Int,
    OutLayout: TensorLayout,
    IndicesLayout: TensorLayout,
    WeightsLayout: TensorLayout,
    dtype: DType = DType.float32,
](
    output: TileTensor[mut=True, dtype, OutLayout, MutAnyOrigin],
    indices: TileTensor[mut=True, DType.int32, IndicesLayout, MutAnyOrigin],
    weights: TileTensor[mut=True, dtype, WeightsLayout, MutAnyOrigin],
):
    var position = Int(block_idx.x * block_dim.x + thread_idx.x)
    var embed_idx = Int(block_idx.y * block_dim.y + thread_idx.y)
    if position < batch_size * seq_len and embed_idx < embed_dim:
        var batch_idx = position // seq_len
        var seq_idx = position % seq_len
        var token = Int(indices[batch_idx, seq_idx])
        if token >= 0 and token < vocab_size:
            output[batch_idx, seq_idx, embed_idx] = rebind[output.ElementType](
                weights[token, embed_idx]
            )
        else:
            output[batch_idx, seq_idx, embed_idx] = 0
