"""Wrong kernels of puzzle 7."""

__all__ = ["EDITS"]

EDITS = {
    ("p07", 0): [
        ("transposed-store", "output[row, col]", "output[col, row]"),
        ("no-guard-of-rows", "row < size and col < size", "col < size"),
    ],
}
