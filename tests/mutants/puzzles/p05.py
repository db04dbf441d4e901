"""Wrong kernels of puzzle 5."""

from tests.mutants.documents import Blind

__all__ = ["BLIND", "EDITS"]

EDITS = {
    ("p05", 0): [
        ("row-and-column-swapped", "a[0, col] + b[row, 0]", "a[0, row] + b[col, 0]"),
        ("no-guard-of-columns", "row < size and col < size", "row < size"),
        ("column-twice", "a[0, col] + b[row, 0]", "b[row, 0] + b[row, 0]"),
        ("size-known", "var size = Int(size_dev)", "var size = SIZE"),
        ("index-of-another-row", "b[row, 0]", "b[0, row]"),
    ],
}
BLIND = {
    ("p05", "index-of-another-row"): Blind("in one column both indices lead to one element", "MISMATCH on drawn"),
    ("p05", "size-known"): Blind("the documents have one size", "MISMATCH on fresh-size-1"),
}
