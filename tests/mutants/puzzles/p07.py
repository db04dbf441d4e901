"""Wrong kernels of puzzle 7."""

__all__ = ["EDITS"]

EDITS = {
    ("p07", 0): [
        ("transposed-store", "output[row, col]", "output[col, row]"),
        ("number-of-the-element", "a[row, col] + 10", "Scalar[dtype](row * size + col) + 10"),
        ("no-guard-of-rows", "row < size and col < size", "col < size"),
    ],
}
