"""Wrong kernels of puzzle 30."""

__all__ = ["EDITS"]

EDITS = {
    ("p30:kernel1", 0): [
        ("first-twice", "a[i] + b[i]", "a[i] + a[i]"),
        ("every-block-the-first", "Int(block_dim.x * block_idx.x + thread_idx.x)", "Int(thread_idx.x)"),
        ("guard-too-tight", "if i < size:", "if i < size - 1:"),
    ],
    ("p30:kernel2", 0): [
        ("first-twice", "a[i] + b[i]", "a[i] + a[i]"),
        ("nothing-written", "output[i] = a[i] + b[i]", "_ = a[i] + b[i]"),
        ("one-element-each", "while i < size:", "if i < size:"),
        ("no-end", "while i < size:", "while i < size + 1:"),
    ],
    ("p30:kernel3", 0): [
        ("from-the-beginning", "a[reverse] + b[reverse]", "a[i] + b[reverse]"),
        ("one-too-far", "size - 1 - i", "size - i"),
        ("nothing-reversed", "output[reverse] =", "output[i] ="),
    ],
}
