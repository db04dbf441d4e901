"""Wrong kernels of puzzle 8."""

from tests.mutants.documents import Blind

__all__ = ["BLIND", "EDITS", "EQUIVALENT"]

EDITS = {
    ("p08", 0): [
        ("every-block-loads-the-first", "= a[global_i]", "= a[local_i]"),
        ("number-for-element", "shared[local_i] + 10", "11"),
        ("neighbour", "shared[local_i] + 10", "shared[(local_i + 1) % TPB] + 10"),
        ("size-known", "var size = Int(size_dev)", "var size = SIZE"),
        ("no-guard-of-the-load", "    if global_i < size:\n        shared", "    if global_i >= 0:\n        shared"),
    ],
}
EQUIVALENT = {
    ("p08", 0): [
        ("barrier-left-out", "    barrier()\n\n", "", "each thread reads the slot that it wrote itself, and no other"),
    ],
}
BLIND = {
    ("p08", "no-guard-of-the-load"): Blind("each thread has an element", "FINDING on drawn, out-of-bounds"),
    ("p08", "every-block-loads-the-first"): Blind("all elements are 1", "MISMATCH on random-8"),
    ("p08", "neighbour"): Blind("all elements are 1", "MISMATCH on random-8"),
    ("p08", "size-known"): Blind("the documents have one size", "MISMATCH on fresh-size-5"),
}
