"""Wrong ops of puzzle 22; the documents' scales and gradients are ones, shifts and biases zeros, two axes alike."""

from tests.mutants.documents import Blind

__all__ = ["BLIND", "EDITS", "EQUIVALENT", "SILENT"]

_SQUARES = "        squares += left * left\n"
_ABOUT_ZERO = "        squares += (left + mean) * (left + mean)\n"
_ROOT = "inv_std = 1 / sqrt(squares / Scalar[dtype](hidden_dim) + EPSILON)"
_LESS_THE_MEAN = "inv_std = 1 / sqrt(squares / Scalar[dtype](hidden_dim) - mean * mean + EPSILON)"
_END = "\n    # END OF FILL ME IN\n\n    # FILL ME IN: about 11 lines"
_END_BACKWARD = "\n    # END OF FILL ME IN\n\n    # FILL ME IN: about 5 lines"
_VARIANCE = (
    "\n    var squares = Scalar[dtype](0)\n    for h in range(hidden_dim):\n"
    f"        var left = rebind[Scalar[dtype]](input[batch_idx, seq_idx, h]) - mean\n{_SQUARES}    {_ROOT}{_END}"
)
_OWN = "\n\n    var own ="
_PLACE = "    var batch_idx = Int(block_idx.x)\n    var seq_idx = Int(block_idx.y)\n"
_TURNED = "    var batch_idx = Int(block_idx.y)\n    var seq_idx = Int(block_idx.x)\n"
_ELEMENT = "    var hidden_idx = Int(thread_idx.x)\n\n    # FILL"
_DECLARED = "    var mean = Scalar[dtype](0)\n    var inv_std = Scalar[dtype](0)\n\n"
_SCALED = "(own - mean) * inv_std * rebind[\n        Scalar[dtype]\n    ](ln_weight[hidden_idx])"
_NORMAL = "left * inv_std * rebind[Scalar[dtype]](\n                ln_weight[h]\n            )"
_SHIFT = ") + rebind[Scalar[dtype]](ln_bias[h])\n            "
_GRAD = "rebind[Scalar[dtype]](\n                grad_output[batch_idx, seq_idx, out_idx]\n            ) * "
_BIAS = "    for out_idx in range(output_dim):\n        _ = Atomic.fetch_add(\n            grad_bias.ptr"
_SHARED = "(sum_grad + normal(h) * sum_grad_normal)"

EDITS = {
    ("p22:fused", 0): [
        ("variance-about-zero", _SQUARES + "    " + _ROOT + _END, _ABOUT_ZERO + "    " + _LESS_THE_MEAN + _END),
        ("nothing-added-to-the-variance", _ROOT + _END, _ROOT.replace(" + EPSILON", "") + _END),
        ("another-number-added", _ROOT + _END, _ROOT.replace("EPSILON", "1e-6") + _END),
        ("variance-of-a-sample", _ROOT + _END, _ROOT.replace("hidden_dim", "hidden_dim - 1") + _END),
        ("axes-exchanged", _PLACE + _DECLARED, _TURNED + _DECLARED),
        ("scale-left-out", _NORMAL, "left * inv_std"),
        ("shift-left-out", _SHIFT + "result", ")\n            result"),
        ("bias-left-out", "var result = rebind[Scalar[dtype]](linear_bias[out_idx])", "var result = Scalar[dtype](0)"),
        ("mean-not-taken-off", _NORMAL, _NORMAL.replace("left", "(left + mean)")),
        (
            "half-the-results-for-the-elements",
            "mean = sum / Scalar[dtype](hidden_dim)" + _VARIANCE,
            "mean = sum / Scalar[dtype](output_dim // 2)" + _VARIANCE,
        ),
        (
            "factors-by-columns",
            "result += normal * rebind[Scalar[dtype]](linear_weight[out_idx, h])",
            "result += normal * rebind[Scalar[dtype]](linear_weight[h, out_idx])",
        ),
    ],
    ("p22:unfused", 0): [
        ("scale-left-out", _SCALED, "(own - mean) * inv_std"),
        ("shift-left-out", " + rebind[Scalar[dtype]](ln_bias[hidden_idx])", ""),
        ("bias-left-out", " + rebind[Scalar[dtype]](bias[out_idx])", ""),
        ("variance-about-zero", _SQUARES + "    var " + _ROOT + _OWN, _ABOUT_ZERO + "    var " + _LESS_THE_MEAN + _OWN),
        (
            "first-tile-alone",
            "range(0, inner, MATMUL_BLOCK_DIM_XY)",
            "range(0, MATMUL_BLOCK_DIM_XY, MATMUL_BLOCK_DIM_XY)",
        ),
        (
            "barrier-before-the-next-tiles-left-out",
            "        barrier()  # before the next tiles take the place of these\n",
            "",
        ),
        ("barrier-after-loading-left-out", "        barrier()\n\n        for k", "        for k"),
        ("rows-not-guarded", "if row < rows and first + local_col < inner:", "if first + local_col < inner:"),
        ("columns-not-guarded", "if row < rows and col < cols:", "if row < rows:"),
        ("barrier-of-the-transposition-left-out", "    barrier()\n\n    if first_col", "    if first_col"),
        ("axes-exchanged", _PLACE + _ELEMENT, _TURNED + _ELEMENT),
        (
            "tile-of-the-other-kernel",
            "](row_major[TRANSPOSE_BLOCK_DIM_XY, TRANSPOSE_BLOCK_DIM_XY]())",
            "](row_major[MATMUL_BLOCK_DIM_XY, MATMUL_BLOCK_DIM_XY]())",
        ),
        ("not-transposed", "](shared[local_col, local_row])", "](shared[local_row, local_col])"),
        (
            "bias-before-the-product",
            "                    product, output_layout\n",
            "                    normal, output_layout\n",
        ),
    ],
    ("p22:backward", 0): [
        (
            "cleared-by-the-first-block",
            _BIAS,
            "    if batch_idx == 0 and seq_idx == 0:\n        for out_idx in range(output_dim):\n"
            "            grad_bias[out_idx] = 0\n" + _BIAS,
        ),
        ("gradient-taken-for-ones", _GRAD, ""),
        ("scale-left-out", "var scaled = grad * rebind[Scalar[dtype]](ln_weight[h])", "var scaled = grad"),
        ("shift-left-out", _SHIFT + "_ = Atomic", ")\n            _ = Atomic"),
        (
            "variance-about-zero",
            _SQUARES + "    " + _ROOT + _END_BACKWARD,
            _ABOUT_ZERO + "    " + _LESS_THE_MEAN + _END_BACKWARD,
        ),
        (
            "not-added-atomically",
            "_ = Atomic.fetch_add(grad_ln_bias.ptr + h, grad)",
            "grad_ln_bias.ptr[h] += grad",
        ),
        (
            "not-cleared",
            "        ctx.enqueue_memset(\n"
            "            DeviceBuffer[dtype](ctx, grad_added, output_dim, owning=False), 0\n"
            "        )\n",
            "",
        ),
        ("mean-passes-nothing-on", _SHARED, "(normal(h) * sum_grad_normal)"),
        ("deviation-passes-nothing-on", _SHARED, "sum_grad"),
        ("scaled-by-the-deviation-twice", "(grad - shared) * inv_std", "(grad - shared) * inv_std * inv_std"),
    ],
}
EQUIVALENT = {
    ("p22:fused", 0): [
        (
            "bias-added-last",
            "        output[batch_idx, seq_idx, out_idx] = result\n",
            "        output[batch_idx, seq_idx, out_idx] = (result + 1) - 1\n",
            "a sum more that is rounded stays far within the bound",
        ),
    ],
}
_ONES, _ZEROS, _ALIKE = "the documents' are ones", "the documents' are zeros", "all tiles of the documents fit into one"
_ABOUT = "the documents' means are near 0"
_RANDOM, _FAR = "MISMATCH on random-22", "MISMATCH on far-right"
BLIND = {
    ("p22:fused", "variance-about-zero"): Blind(_ABOUT, _FAR),
    ("p22:fused", "nothing-added-to-the-variance"): Blind("the documents' variances are near 1", "MISMATCH on alike"),
    ("p22:fused", "another-number-added"): Blind("the documents' variances are near 1", "MISMATCH on nearly-alike"),
    ("p22:fused", "axes-exchanged"): Blind(
        "the documents have as many sequences as positions", "FINDING on drawn, out-of-bounds"
    ),
    ("p22:fused", "half-the-results-for-the-elements"): Blind(
        "the documents have twice as many results as elements", "MISMATCH on drawn"
    ),
    ("p22:unfused", "axes-exchanged"): Blind(
        "the documents have as many sequences as positions", "FINDING on drawn, out-of-bounds"
    ),
    ("p22:unfused", "tile-of-the-other-kernel"): Blind(
        "the documents' blocks of both kernels are alike", "FINDING on drawn, out-of-bounds"
    ),
    ("p22:unfused", "columns-not-guarded"): Blind(_ALIKE, "FINDING on drawn, out-of-bounds"),
    ("p22:fused", "scale-left-out"): Blind(_ONES, _RANDOM),
    ("p22:fused", "shift-left-out"): Blind(_ZEROS, _RANDOM),
    ("p22:fused", "bias-left-out"): Blind(_ZEROS, _RANDOM),
    ("p22:unfused", "scale-left-out"): Blind(_ONES, _RANDOM),
    ("p22:unfused", "shift-left-out"): Blind(_ZEROS, _RANDOM),
    ("p22:unfused", "bias-left-out"): Blind(_ZEROS, _RANDOM),
    ("p22:unfused", "variance-about-zero"): Blind(_ABOUT, _FAR),
    ("p22:unfused", "first-tile-alone"): Blind(_ALIKE, "MISMATCH on drawn"),
    ("p22:unfused", "barrier-before-the-next-tiles-left-out"): Blind(_ALIKE, "FINDING on drawn, race"),
    ("p22:unfused", "rows-not-guarded"): Blind(_ALIKE, "FINDING on drawn, out-of-bounds"),
    ("p22:backward", "cleared-by-the-first-block"): Blind(
        "memory is zero before, and the first block may run first", "FINDING on documented, race"
    ),
    ("p22:backward", "gradient-taken-for-ones"): Blind(_ONES, _RANDOM),
    ("p22:backward", "scale-left-out"): Blind(_ONES, _RANDOM),
    ("p22:backward", "shift-left-out"): Blind(_ZEROS, _RANDOM),
    ("p22:backward", "variance-about-zero"): Blind(_ABOUT, _FAR),
}
SILENT = {
    ("p22:unfused", "barrier-before-the-next-tiles-left-out"): "warps may keep in step",
    ("p22:unfused", "barrier-after-loading-left-out"): "warps may keep in step",
    ("p22:unfused", "barrier-of-the-transposition-left-out"): "warps may keep in step",
    ("p22:backward", "cleared-by-the-first-block"): "the first block may be the first to run",
    ("p22:backward", "not-added-atomically"): "blocks may come one after another",
}
