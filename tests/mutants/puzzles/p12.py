"""Wrong kernels of puzzle 12."""

from tests.mutants.documents import Blind

__all__ = ["BLIND", "EDITS"]

_GUARDED = """    if global_i < size:
        shared[local_i] = a[global_i] * b[global_i]
    else:
        shared[local_i] = 0
"""

EDITS = {
    ("p12", 0): [
        ("first-squared", "a[global_i] * b[global_i]", "a[global_i] * a[global_i]"),
        ("first-product-left-out", "if global_i < size:", "if global_i < size and global_i > 0:"),
        ("in-place", "if local_i < stride:", "if local_i + stride < TPB:"),
        ("barrier-after-step-left-out", "        barrier()\n\n        stride //= 2", "        stride //= 2"),
        ("all-threads-write", "if local_i == 0:", "if local_i >= 0:"),
        ("no-guard", _GUARDED, "    shared[local_i] = a[global_i] * b[global_i]\n"),
        ("no-else", "    else:\n        shared[local_i] = 0\n", ""),
        ("size-known", "var size = Int(size_dev)", "var size = SIZE"),
    ],
}
BLIND = {
    ("p12", "no-guard"): Blind("each thread has a pair", "MISMATCH on fresh-size-3"),
    ("p12", "no-else"): Blind("each thread has a pair", "FINDING on fresh-size-3, uninitialised"),
    ("p12", "size-known"): Blind("the documents have one size", "MISMATCH on fresh-size-3"),
    ("p12", "first-squared"): Blind("both inputs are the same", "MISMATCH on random-12"),
    ("p12", "first-product-left-out"): Blind("the first product is 0", "MISMATCH on random-12"),
    ("p12", "in-place"): Blind("the lanes of one warp happen to read before they write", "FINDING on documented, race"),
}
