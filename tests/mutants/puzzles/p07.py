"""Wrong kernels of puzzle 7."""

from tests.mutants.documents import Blind

__all__ = ["BLIND", "EDITS"]

EDITS = {
    ("p07", 0): [
        ("transposed-store", "output[row, col]", "output[col, row]"),
        ("number-of-the-element", "a[row, col] + 10", "Scalar[dtype](row * size + col) + 10"),
        ("no-guard-of-rows", "row < size and col < size", "col < size"),
        ("size-known", "var size = Int(size_dev)", "var size = SIZE"),
        ("rows-by-the-width-of-a-block", "block_dim.y * block_idx.y", "block_dim.x * block_idx.y"),
    ],
}
BLIND = {
    ("p07", "rows-by-the-width-of-a-block"): Blind("blocks are as wide as they are high", "MISMATCH on drawn"),
    ("p07", "size-known"): Blind("the documents have one size", "MISMATCH on fresh-size-3"),
}
