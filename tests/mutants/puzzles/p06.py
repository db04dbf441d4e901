"""Wrong kernels of puzzle 6."""

from tests.mutants.documents import Blind

__all__ = ["BLIND", "EDITS"]

EDITS = {
    ("p06", 0): [
        ("every-block-the-first", "block_dim.x * block_idx.x + thread_idx.x", "thread_idx.x"),
        ("last-block-left-out", "if i < size:", "if i < size - 1:"),
        ("no-guard", "if i < size:", "if i >= 0:"),
        ("size-known", "var size = Int(size_dev)", "var size = SIZE"),
        ("blocks-for-threads", "    var i = block_dim.x", "    from max.gpu import grid_dim\n\n    var i = grid_dim.x"),
    ],
}
BLIND = {
    ("p06", "blocks-for-threads"): Blind("there are nearly as many blocks as threads", "MISMATCH on drawn"),
    ("p06", "size-known"): Blind("the documents have one size", "MISMATCH on fresh-size-5"),
}
