"""Wrong ops of puzzle 21; the documents' indices all name a row, and their blocks are all full."""

from tests.mutants.documents import Blind

__all__ = ["BLIND", "EDITS", "EQUIVALENT"]

_READ = "\n\n    var index = Int(indices[batch_idx, seq_idx])\n    var value = Scalar[dtype](0)\n    if "
_ROW = "divmod(position, seq_len)" + _READ
_PLANE = "divmod(batch_seq_idx, seq_len)" + _READ
_INSIDE = "0 <= index < vocab_size:"
_GUARD = "batch_seq_idx >= batch_size * seq_len or embed_idx >= embed_dim"
_PRODUCT = (
    "True:\n        value = rebind[Scalar[dtype]](\n"
    "            weights[min(max(index, 0), vocab_size - 1), embed_idx]\n"
    "        ) * Scalar[dtype](Int(0 <= index < vocab_size))\n    if False:"
)
_POSITION = "var position, embed_idx = divmod(global_idx, embed_dim)"

EDITS = {
    ("p21", 0): [
        # In a row.
        ("not-below-0-checked", _ROW + _INSIDE, _ROW + "index < vocab_size:"),
        ("not-above-checked", _ROW + _INSIDE, _ROW + "0 <= index:"),
        (
            "every-block-full",
            "    if global_idx >= batch_size * seq_len * embed_dim:\n        return\n",
            "",
        ),
        ("last-row-outside", _ROW + _INSIDE, _ROW + "0 <= index < vocab_size - 1:"),
        ("first-row-outside", _ROW + _INSIDE, _ROW + "0 < index < vocab_size:"),
        ("zeros-by-a-product", _ROW + _INSIDE, _ROW + _PRODUCT),
        ("rows-as-long-as-sequences", "divmod(global_idx, embed_dim)", "divmod(global_idx, seq_len)"),
        ("wrong-sequence", "divmod(position, seq_len)", "divmod(position, batch_size)"),
        (
            "neighbours-a-row-apart",
            _POSITION,
            "var embed_idx, position = divmod(global_idx, batch_size * seq_len)",
        ),
        (
            "one-block-too-few",
            "grid_dim=ceildiv(elements, THREADS_PER_BLOCK)",
            "grid_dim=elements // THREADS_PER_BLOCK",
        ),
        # In a plane.
        ("not-below-0-checked-in-a-plane", _PLANE + _INSIDE, _PLANE + "index < vocab_size:"),
        ("not-above-checked-in-a-plane", _PLANE + _INSIDE, _PLANE + "0 <= index:"),
        ("positions-not-guarded", _GUARD, "embed_idx >= embed_dim"),
        ("elements-not-guarded", _GUARD, "batch_seq_idx >= batch_size * seq_len"),
        ("wrong-sequence-in-a-plane", "divmod(batch_seq_idx, seq_len)", "divmod(batch_seq_idx, batch_size)"),
        ("blocks-as-high-as-wide", "block_idx.y * block_dim.y", "block_idx.y * block_dim.x"),
        (
            "blocks-as-wide-as-high",
            "block_idx.x * block_dim.x + thread_idx.x)\n    var embed_idx",
            "block_idx.x * block_dim.y + thread_idx.x)\n    var embed_idx",
        ),
    ],
}
EQUIVALENT = {
    ("p21", 0): [
        (
            "checked-as-one",
            _ROW + _INSIDE,
            _ROW + "UInt(index) < UInt(vocab_size):",
            "what is below 0 is beyond every row as a number without a sign",
        ),
    ],
}
_WITHIN = "every index of the documents names a row"
_FULL = "the documents' blocks are all full"
BLIND = {
    ("p21", "not-below-0-checked"): Blind(_WITHIN, "FINDING on outside, out-of-bounds"),
    ("p21", "not-above-checked"): Blind(_WITHIN, "FINDING on outside, out-of-bounds"),
    ("p21", "every-block-full"): Blind(_FULL, "FINDING on drawn, out-of-bounds"),
    ("p21", "zeros-by-a-product"): Blind(_WITHIN, "MISMATCH on outside-infinity"),
    ("p21", "one-block-too-few"): Blind(_FULL, "MISMATCH on drawn"),
    ("p21", "positions-not-guarded"): Blind(_FULL, "FINDING on drawn, out-of-bounds"),
    ("p21", "elements-not-guarded"): Blind(_FULL, "FINDING on drawn, out-of-bounds"),
    ("p21", "blocks-as-high-as-wide"): Blind("blocks are as high as they are wide", "MISMATCH on drawn"),
    ("p21", "blocks-as-wide-as-high"): Blind("blocks are as high as they are wide", "MISMATCH on drawn"),
}
