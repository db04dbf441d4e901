"""Wrong kernels of puzzle 6."""

__all__ = ["EDITS"]

EDITS = {
    ("p06", 0): [
        ("every-block-the-first", "block_dim.x * block_idx.x + thread_idx.x", "thread_idx.x"),
        ("last-block-left-out", "if i < size:", "if i < size - 1:"),
        ("no-guard", "if i < size:", "if i >= 0:"),
    ],
}
