"""Wrong kernels of puzzle 12."""

from tests.mutants.documents import Blind

__all__ = ["BLIND", "EDITS", "EQUIVALENT"]

EDITS = {
    ("p12", 0): [
        ("first-squared", "a[global_i] * b[global_i]", "a[global_i] * a[global_i]"),
        ("first-product-left-out", "if global_i < size:", "if global_i < size and global_i > 0:"),
        ("in-place", "if local_i < stride:", "if local_i + stride < TPB:"),
        ("barrier-after-step-left-out", "        barrier()\n\n        stride //= 2", "        stride //= 2"),
        ("all-threads-write", "if local_i == 0:", "if local_i >= 0:"),
    ],
}
EQUIVALENT = {
    ("p12", 0): [
        (
            "size-known",
            "var size = Int(size_dev)",
            "var size = SIZE",
            "there is one size: the documents' own kernel leaves junk where a thread has no pair, and adds it",
        ),
    ],
}
BLIND = {
    ("p12", "first-squared"): Blind("both inputs are the same", "MISMATCH on random-12"),
    ("p12", "first-product-left-out"): Blind("the first product is 0", "MISMATCH on random-12"),
    ("p12", "in-place"): Blind("the lanes of one warp happen to read before they write", "FINDING on documented, race"),
}
