"""Wrong kernels of puzzle 5."""

__all__ = ["EDITS"]

EDITS = {
    ("p05", 0): [
        ("row-and-column-swapped", "a[0, col] + b[row, 0]", "a[0, row] + b[col, 0]"),
        ("no-guard-of-columns", "row < size and col < size", "row < size"),
        ("column-twice", "a[0, col] + b[row, 0]", "b[row, 0] + b[row, 0]"),
    ],
}
