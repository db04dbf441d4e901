"""Wrong kernels of puzzle 7."""

from tests.mutants.documents import Blind

__all__ = ["BLIND", "EDITS"]

EDITS = {
    ("p07", 0): [
        ("transposed-store", "output[row, col]", "output[col, row]"),
        ("number-of-the-element", "a[row, col] + 10", "Scalar[dtype](row * size + col) + 10"),
        ("no-guard-of-rows", "row < size and col < size", "col < size"),
        ("size-known", "var size = Int(size_dev)", "var size = SIZE"),
    ],
}
BLIND = {
    ("p07", "size-known"): Blind("the documents have one size", "MISMATCH on fresh-size-3"),
}
