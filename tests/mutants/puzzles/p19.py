"""Wrong ops of puzzle 19; on the documents' small scores the mean of the values is nearly right."""

from tests.mutants.documents import Blind

__all__ = ["BLIND", "EDITS", "EQUIVALENT"]

_KEYS = "transpose_kernel[seq_len, d, KTLayout, KLayout, dtype]"
_POWER = "power = exp(value - rebind[Scalar[dtype]](shared_max[0]))"
_TURNED = "output[out_row, out_col] = tile[local_col, local_row]"

EDITS = {
    ("p19", 0): [
        # The kernels.
        (
            "turned-without-a-tile",
            _TURNED,
            "output[out_row, out_col] = inp[out_col, out_row]",
        ),
        (
            "written-across-the-rows",
            "    barrier()\n\n    # Neighbours",
            "    if row < rows and col < cols:\n        output[col, row] = tile[local_row, local_col]\n"
            "    return\n\n    # Neighbours",
        ),
        ("barrier-after-load-left-out", "    barrier()\n\n    # Neighbours", "    # Neighbours"),
        ("no-guard-of-columns", "if row < rows and col < cols:", "if row < rows:"),
        ("tile-of-the-other-kernel", "comptime side = TRANSPOSE_BLOCK_DIM_XY", "comptime side = MATMUL_BLOCK_DIM_XY"),
        ("scores-divided-by-their-root", _POWER, _POWER.replace("exp(", "exp(0.25 * (").replace("]))", "])))")),
        ("largest-not-taken-off", _POWER, "power = exp(value)"),
        ("largest-begins-at-zero", "var value = min_finite[dtype]()", "var value = Scalar[dtype](0)"),
        ("weights-all-alike", _POWER, "power = 1"),
        (
            "barrier-after-use-left-out",
            "        barrier()\n\n    if tiled_row < rows and tiled_col < cols:",
            "    if tiled_row < rows and tiled_col < cols:",
        ),
        # The function that launches them.
        (
            "keys-not-turned",
            "                q_2d,\n                k_t,",
            "                q_2d,\n"
            "                TileTensor[mut=True, dtype, KTLayout, MutAnyOrigin](k_tensor.ptr, layout_k_t),",
        ),
        (
            "keys-for-values",
            "                v_tensor,\n                grid_dim",
            "                k_tensor,\n                grid_dim",
        ),
        (
            "values-turned",
            "                k_t,\n                k_tensor,",
            "                k_t,\n                v_tensor,",
        ),
        ("sizes-exchanged", _KEYS, _KEYS.replace("seq_len, d", "d, seq_len")),
        ("blocks-for-keys", "grid_dim=result_blocks_per_grid", "grid_dim=scores_blocks_per_grid"),
        (
            "grid-turned",
            "grid_dim=transpose_blocks_per_grid",
            "grid_dim=(transpose_blocks_per_grid[1], transpose_blocks_per_grid[0])",
        ),
        (
            "elements-for-keys",
            "                    1, seq_len, d, Scores2DLayout",
            "                    1, d, seq_len, Scores2DLayout",
        ),
        ("more-keys-than-threads", "SOFTMAX_BLOCK_DIM_X = 1 << log2_ceil(SEQ_LEN)", "SOFTMAX_BLOCK_DIM_X = SEQ_LEN"),
        ("buffer-too-small", "enqueue_create_buffer[dtype](seq_len * d)", "enqueue_create_buffer[dtype](seq_len)"),
    ],
}
EQUIVALENT = {
    ("p19", 0): [
        (
            "beside-the-matrix",
            "var a_value = Scalar[dtype](0)",
            "var a_value = Scalar[dtype](1)",
            "what it is multiplied by lies beside the other matrix, and is 0, or its sum is not stored",
        ),
    ],
}
_SQUARE = "there are as many keys as elements of one"
_FULL = "each thread of a block has an element"
_ALIKE = "both kernels have blocks of 16 x 16 threads"
BLIND = {
    ("p19", "largest-not-taken-off"): Blind(
        "the powers of small scores are small without it too", "MISMATCH on far-right"
    ),
    ("p19", "largest-begins-at-zero"): Blind("each thread has a key, in the place of 0", "MISMATCH on drawn"),
    ("p19", "no-guard-of-columns"): Blind(_FULL, "FINDING on drawn, out-of-bounds"),
    ("p19", "tile-of-the-other-kernel"): Blind(_ALIKE, "FINDING on drawn, out-of-bounds"),
    ("p19", "barrier-after-use-left-out"): Blind("all of a factor is one tile", "FINDING on drawn, race"),
    ("p19", "sizes-exchanged"): Blind(_SQUARE, "FINDING on drawn, out-of-bounds"),
    ("p19", "elements-for-keys"): Blind(_SQUARE, "FINDING on drawn, out-of-bounds"),
    ("p19", "more-keys-than-threads"): Blind("there are 16 keys, which is a power of two", "MISMATCH on drawn"),
    ("p19", "blocks-for-keys"): Blind(_SQUARE, "MISMATCH on drawn"),
    ("p19", "grid-turned"): Blind(_SQUARE, "FINDING on drawn, uninitialised"),
}
