"""Wrong kernels of puzzle 5."""

from tests.mutants.documents import Blind

__all__ = ["BLIND", "EDITS"]

EDITS = {
    ("p05", 0): [
        ("row-and-column-swapped", "a[0, col] + b[row, 0]", "a[0, row] + b[col, 0]"),
        ("no-guard-of-columns", "row < size and col < size", "row < size"),
        ("column-twice", "a[0, col] + b[row, 0]", "b[row, 0] + b[row, 0]"),
        ("size-known", "var size = Int(size_dev)", "var size = SIZE"),
    ],
}
BLIND = {
    ("p05", "size-known"): Blind("the documents have one size", "MISMATCH on fresh-size-1"),
}
