"""Wrong kernels of puzzle 30."""

from tests.mutants.documents import EQUAL, WHERE_WRITTEN, Blind, first

__all__ = ["BLIND", "EDITS", "RULES"]

EDITS = {
    ("p30:kernel1", 0): [
        ("first-twice", "a[i] + b[i]", "a[i] + a[i]"),
        ("every-block-the-first", "Int(block_dim.x * block_idx.x + thread_idx.x)", "Int(thread_idx.x)"),
        ("guard-too-tight", "if i < size:", "if i < size - 1:"),
        ("guard-left-out", "if i < size:", "if i >= 0:"),
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
        ("guard-left-out", "if i < size:", "if i >= 0:"),
        ("all-for-size", "size - 1 - i", "SIZE - 1 - i"),
        ("nothing-reversed", "output[reverse] =", "output[i] ="),
    ],
}
_AS_MANY = "there are as many threads as elements"
BLIND = {
    ("p30:kernel1", "guard-left-out"): Blind(_AS_MANY, "FINDING on drawn, out-of-bounds"),
    ("p30:kernel3", "guard-left-out"): Blind(_AS_MANY, "FINDING on drawn, out-of-bounds"),
    ("p30:kernel3", "all-for-size"): Blind("all elements count", "MISMATCH on drawn-size-733"),
    ("p30:kernel1", "every-block-the-first"): Blind(
        "the first ten elements lie in the first block", "MISMATCH on documented"
    ),
    ("p30:kernel2", "nothing-written"): Blind("what is 0 is passed by", "MISMATCH on documented"),
}
RULES = {
    "p30:kernel1": first(10, EQUAL),
    "p30:kernel2": WHERE_WRITTEN,
}
