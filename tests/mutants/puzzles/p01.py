"""Wrong kernels of puzzle 1."""

from tests.mutants.documents import Blind

__all__ = ["BLIND", "EDITS"]

EDITS = {
    ("p01", 0): [
        ("number-of-the-thread", "= a[i] + 10", "= Scalar[dtype](i) + 10"),
        ("neighbour", "= a[i] + 10", "= a[i ^ 1] + 10"),
        ("nothing-written", "output[i] = a[i] + 10", "_ = a[i]"),
        ("documented-size-known", "    output[i] = a[i] + 10", "    if i < 4:\n        output[i] = a[i] + 10"),
    ],
}
BLIND = {
    ("p01", "documented-size-known"): Blind("the documents have one size", "MISMATCH on drawn"),
}
